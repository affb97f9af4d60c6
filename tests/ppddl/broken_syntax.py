"""Broken texts: parentheses, sections, lists, probabilities, formulas and effects."""

from tests.ppddl.broken import HEAD, MOVE, TASK, case

SYNTAX_CASES = [
    # --- parentheses and characters
    case("unclosed definition", "§(define (domain a)\n  (:predicates (p))\n", "this '(' is never closed"),
    case(
        "unclosed action",
        "(define (domain a) (:predicates (p))\n  §(:action one :precondition (p) :effect (and (p))\n"
        "  (:action two :effect (p)))",
        "this '(' is never closed",
        hint="a ')' is missing before '(:action' in line 3",
        context=("'(define (domain a)' of line 1",),
    ),
    case(
        "unclosed inner group",
        "(define (domain a) (:predicates (p))\n  (:action one :effect §(and (p)\n  (:action two :effect (p)))",
        "this '(' is never closed",
        hint="a ')' is missing before '(:action' in line 3",
        context=("'(define (domain a)' of line 1", "'(:action one' of line 2"),
    ),
    case(
        "unclosed definition before another",
        "§(define (domain a) (:predicates (p))\n(define (problem b) (:domain a) (:init) (:goal (p)))",
        "this '(' is never closed",
        hint="a ')' is missing before '(define' in line 2",
    ),
    case(
        "superfluous at the end",
        "(define (domain a) (:predicates (p)))\n§)",
        "superfluous ')'",
        hint="'(define (domain a)' of line 1 is closed in line 1, column 37 already",
    ),
    case("superfluous at the start", "§)(define (domain a) (:predicates (p)))", "superfluous ')'"),
    case(
        "closed too early",
        "(define (domain a)\n  (:predicates (p)))\n  §(:action one :effect (p)))",
        "the section '(:action' stands outside of any '(define …)'",
        hint="'(define (domain a)' of line 1 is closed in line 2, column 20: is there a ')' too many?",
    ),
    case(
        "action closed too early",
        "(define (domain a) (:predicates (p))\n  (:action one :precondition (and (p)))\n  §:effect §(p))",
        "expected a section such as '(:action …)', found ':effect'",
        "expected a section such as '(:action …)', found '(p)'",
        hint="'(:action one' of line 2 is closed before it",
    ),
    case("text outside", "§hello world\n(define (domain a))", "text outside of any '(define …)': 'hello'"),
    case("foreign character", "(define (domain a) (:predicates (p§,q)))", "the character ',' cannot stand in PPDDL"),
    case(
        "control character", "(define (domain a) (:predicates (p§\0q)))", "the character U+0000 cannot stand in PPDDL"
    ),
    case("not a definition", "§(defin (domain a))", "expected '(define …)', found '(defin (domain a))'"),
    case(
        "no header",
        "(define §(domian a))",
        "'(define' must be followed by '(domain NAME)' or '(problem NAME)'",
        hint="did you mean 'domain'?",
    ),
    case("no name", "(define §(domain))", "expected '(domain NAME)'"),
    case("deep nesting", "(" * 100 + "§" + "(" * 99_900, "parentheses are nested deeper than 100"),
    case(
        "deep nesting, closed", "(" * 100 + "§(" + "(" * 50_000 + ")" * 50_101, "parentheses are nested deeper than 100"
    ),
    # --- sections
    case(
        "unknown section",
        "(define (domain a) (§:predicate (p)) (:action x :precondition (q) :effect (p)))",
        "unknown section ':predicate'",
        hint="did you mean ':predicates'?",
    ),
    case(
        "goals",
        TASK + "(:init) (§:goals (ready)))",
        "unknown section ':goals'",
        hint="did you mean ':goal'?",
    ),
    case(
        "two predicate sections",
        "(define (domain a)\n  (:predicates (p))\n  §(:predicates (q)))",
        "a second section ':predicates'",
        hint="the first is in line 2",
    ),
    case(
        "unknown part of an action",
        HEAD + MOVE + "§:precond (at ?r ?p) :effect (ready)))",
        "unknown part ':precond' of an action",
        hint="did you mean ':precondition'?",
        context=("action 'move'",),
    ),
    case(
        "nothing after a keyword", HEAD + MOVE + "§:precondition :effect (ready)))", "nothing follows ':precondition'"
    ),
    case("action without a name", HEAD + "§(:action))", "an action without a name"),
    case(
        "no domain name in a problem",
        HEAD + ")\n§(define (problem one) (:init) (:goal (ready)))",
        "the problem does not say '(:domain NAME)'",
    ),
    case(
        "requirement without a colon",
        "(define (domain a) (:requirements §typing))",
        "expected a requirement such as ':typing', found 'typing'",
        hint="did you mean ':typing'?",
    ),
    # --- lists and names
    case(
        "parameter without a question mark",
        HEAD + "(:action move :parameters (§r - rover) :effect (ready)))",
        "expected a variable such as '?x', found 'r'",
        hint="variables begin with a question mark: did you mean '?r'?",
    ),
    case("dash at the end", "(define (domain a) (:types b §-))", "'-' without a type after it", context=("types",)),
    case("type without a name", "(define (domain a) (:types §- b))", "a type without a name before it"),
    case(
        "predicate without parentheses",
        "(define (domain a) (:predicates §p))",
        "expected a predicate declaration, found 'p'",
    ),
    case(
        "reserved name",
        "(define (domain a) (:predicates (§and ?x)))",
        "'and' is a word of the language and cannot be a predicate name",
    ),
    case(
        "missing and",
        HEAD + MOVE + ":precondition (§(at ?r ?p) (ready)) :effect (ready)))",
        "expected a predicate or connective, found '(at ?r …)'",
        hint="a list of conditions or effects begins with 'and'",
    ),
    # --- probabilities and numbers
    case(
        "probability over 1",
        HEAD + MOVE + ":effect (probabilistic §1.5 (ready))))",
        "the probability '1.5' is over 1",
        context=("action 'move'", "effect", "outcome 1"),
    ),
    case(
        "negative probability",
        HEAD + MOVE + ":effect (probabilistic §-1/2 (ready))))",
        "the probability '-1/2' is negative",
    ),
    case(
        "sum over 1",
        HEAD + MOVE + ":effect (probabilistic 0.5 (ready) 1/4 (at ?r ?p) §0.3 (ready))))",
        "the probabilities add up to 1.05, over 1",
        context=("action 'move'", "effect", "outcome 3"),
    ),
    case(
        "a hair over 1",
        HEAD + MOVE + ":effect (probabilistic 1 (ready) §1e-30 (ready))))",
        "the probabilities add up to 1000000000000000000000000000001/1000000000000000000000000000000, over 1",
    ),
    case(
        "not a probability",
        HEAD + MOVE + ":effect (probabilistic §abc (ready))))",
        "expected a probability, found 'abc'",
        hint="a probability is a number from 0 to 1, such as 0.5, .8 or 1/4",
    ),
    case("division by zero", HEAD + MOVE + ":effect (probabilistic §1/0 (ready))))", "division by zero in '1/0'"),
    case(
        "huge cost",
        HEAD + MOVE + ":effect (increase (reward) §1e400)))",
        "the number '1e400' is too large",
    ),
    case(
        "tiny probability",
        HEAD + MOVE + ":effect (probabilistic §1e-324 (ready))))",
        "the number '1e-324' is too close to 0",
        hint="the smallest number above 0 is 2.225e-308",
    ),
    case(
        "tiny cost",
        HEAD + MOVE + ":effect (increase (reward) §-1e-310)))",
        "the number '-1e-310' is too close to 0",
    ),
    case(
        "tiny rest",
        HEAD + MOVE + ":effect §(probabilistic 0." + "9" * 350 + " (ready))))",
        "what the probabilities leave of 1 is too close to 0",
    ),
    case(
        "huge ratio",
        HEAD + MOVE + ":effect (increase (reward) §" + "9" * 350 + "/2)))",
        f"the number '{'9' * 60}…' is too large",
    ),
    case(
        "huge exponent",
        HEAD + MOVE + ":effect (increase (reward) §1e999999999)))",
        "the exponent of '1e999999999' is too large",
    ),
    case(
        "long number",
        HEAD + MOVE + f":effect (increase (reward) §{'1' * 500})))",
        "expected a number, found a word of 500 characters",
    ),
    case(
        "swapped",
        HEAD + MOVE + ":effect (probabilistic (ready) §0.5)))",
        "effect and probability are swapped",
        hint="write (probabilistic 0.8 (effect) 0.2 (effect))",
    ),
    case("no outcomes", HEAD + MOVE + ":effect §(probabilistic)))", "'probabilistic' without outcomes"),
    case(
        "probability without an effect",
        HEAD + MOVE + ":effect (probabilistic 0.5 (ready) §0.5)))",
        "the probability '0.5' has no effect",
    ),
    case(
        "effect without a probability",
        HEAD + MOVE + ":effect (probabilistic 0.5 (ready) §(at ?r ?p))))",
        "a probability is missing before '(at ?r …)'",
    ),
    case(
        "goal probability",
        TASK + "(:init) (:goal (ready)) (:goal-probability §2))",
        "the probability '2' is not between 0 and 1",
    ),
    case("goal reward", TASK + "(:init) (:goal (ready)) (:goal-reward §lots))", "expected a number, found 'lots'"),
    # --- formulas and effects
    case(
        "not with two",
        HEAD + MOVE + ":precondition §(not (ready) (ready)) :effect (ready)))",
        "'not' takes 1 operand, not 2",
        hint="several operands need an 'and' around them",
    ),
    case(
        "imply with one",
        HEAD + MOVE + ":precondition §(imply (ready)) :effect (ready)))",
        "'imply' takes 2 operands, not 1",
    ),
    case("when with one", HEAD + MOVE + ":effect §(when (ready))))", "'when' takes 2 operands, not 1"),
    case(
        "when in a condition",
        HEAD + MOVE + ":precondition (§when (ready) (ready)) :effect (ready)))",
        "'when' is part of an effect and cannot stand here",
        hint="did you mean 'imply'?",
    ),
    case(
        "or in an effect",
        HEAD + MOVE + ":effect (§or (ready) (ready))))",
        "'or' is a condition and cannot be an effect",
    ),
    case(
        "not and in an effect",
        HEAD + MOVE + ":effect (not §(and (ready)))))",
        "in an effect, 'not' takes an atom and not 'and'",
    ),
    case(
        "variable in init",
        TASK + "(:init (at §?r home)) (:goal (ready)))",
        "the variable '?r' cannot stand in the initial state",
    ),
    case(
        "two goals",
        TASK + "(:init) §(:goal (ready) (ready)))",
        "':goal' takes 1 condition, not 2",
        hint="several conditions need an 'and' around them",
    ),
    case(
        "metric without direction",
        TASK + "(:init) (:goal (ready)) §(:metric (reward)))",
        "':metric' takes 'minimize' or 'maximize' and a quantity",
    ),
    case(
        "problem of another domain",
        HEAD + ")\n(define (problem one) (:domain §rovers) (:init) (:goal (ready)))",
        "the problem is of the domain 'rovers', not of 'rover'",
        hint="did you mean 'rover'?",
    ),
]
