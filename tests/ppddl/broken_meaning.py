"""Broken texts: unknown names, arity, types, repeated declarations, several errors, and what is not supported."""

from tests.ppddl.broken import HEAD, MOVE, TASK, case, unsupported

MEANING_CASES = [  # --- unknown names
    case(
        "unknown predicate",
        HEAD + MOVE + ":precondition (and (§att ?r ?p)) :effect (ready)))",
        "unknown predicate 'att'",
        hint="did you mean 'at'?",
        context=("action 'move'", "precondition"),
    ),
    case(
        "unknown predicate without parentheses",
        HEAD + MOVE + ":effect §redy))",
        "unknown predicate 'redy'",
        hint="did you mean 'ready'?",
        context=("action 'move'", "effect"),
    ),
    case(
        "unknown variable",
        HEAD + MOVE + ":effect (at ?r §?place)))",
        "unknown variable '?place'",
        context=("action 'move'", "effect"),
    ),
    case("variable for object", HEAD + MOVE + ":effect (at §r ?p)))", "unknown object 'r'", hint="did you mean '?r'?"),
    case(
        "unknown type",
        "(define (domain a) (:requirements :typing) (:types rover) (:predicates (p ?x - §rovr)))",
        "unknown type 'rovr'",
        hint="did you mean 'rover'?",
        context=("predicate 'p'",),
    ),
    case(
        "near miss of a supertype",
        "(define (domain a) (:requirements :typing) (:types vehicle - object car - §vehicel))",
        "unknown type 'vehicel'",
        hint="did you mean 'vehicle'?",
    ),
    case(
        "unknown object",
        TASK + "(:objects rover1 - rover) (:init (at §rover2 home)) (:goal (ready)))",
        "unknown object 'rover2'",
        hint="did you mean 'rover1'?",
        context=("init",),
    ),
    case(
        "unknown function",
        HEAD + MOVE + ":effect (decrease (reward) (§distanc home ?p))))",
        "unknown function 'distanc'",
        hint="did you mean 'distance'?",
    ),
    case(
        "number for an unknown function",
        TASK + "(:init (= (§dist home home) 3)) (:goal (ready)))",
        "unknown function 'dist'",
    ),
    case(
        "predicate of the goal",
        TASK + "(:init) (:goal (or (ready) (§raedy))))",
        "unknown predicate 'raedy'",
        hint="did you mean 'ready'?",
        context=("goal",),
    ),
    # --- arity and types
    case(
        "too few arguments",
        HEAD + MOVE + ":effect §(at ?r)))",
        "predicate 'at' takes 2 arguments, not 1",
        hint="declared as (at ?r - rover ?p - place) in line 5",
    ),
    case(
        "too many arguments",
        TASK + "(:init §(ready home)) (:goal (ready)))",
        "predicate 'ready' takes 0 arguments, not 1",
        hint="declared as (ready) in line 5",
    ),
    case(
        "arity of a function",
        TASK + "(:init (= §(distance home) 3)) (:goal (ready)))",
        "function 'distance' takes 2 arguments, not 1",
    ),
    case(
        "wrong type of a variable",
        HEAD + MOVE + ":effect (at ?r §?r)))",
        "argument 2 of 'at' must be of type 'place', but '?r' is of type 'rover'",
        hint="declared as (at ?r - rover ?p - place) in line 5",
    ),
    case(
        "wrong type of an object",
        TASK + "(:objects k - rock) (:init (at §k home)) (:goal (ready)))",
        "argument 1 of 'at' must be of type 'rover', but 'k' is of type 'rock'",
    ),
    case(
        "object without a type",
        TASK + "(:objects r1) (:init (at §r1 home)) (:goal (ready)))",
        "argument 1 of 'at' must be of type 'rover', but 'r1' is of type 'object'",
    ),
    case(
        "cyclic types",
        "(define (domain a) (:requirements :typing) (:types §b - c c - d d - b))",
        "the type 'b' is its own supertype: b - c - d - b",
    ),
    # --- declared twice
    case(
        "type twice",
        "(define (domain a) (:requirements :typing) (:types b c §b))",
        "type 'b' is declared twice",
        hint="the first declaration is in line 1",
    ),
    case(
        "predicate twice",
        "(define (domain a) (:requirements :adl)\n(:predicates (p)\n(§p ?x)))",
        "predicate 'p' is declared twice",
        hint="the first declaration is in line 2",
    ),
    case(
        "action twice",
        HEAD + "(:action one :effect (ready))\n(:action §one :effect (ready)))",
        "action 'one' is declared twice",
        hint="the first declaration is in line 7",
    ),
    case(
        "parameter twice",
        HEAD + "(:action one :parameters (?x §?x - place) :effect (ready)))",
        "parameter '?x' is declared twice",
    ),
    case("object twice", TASK + "(:objects r s §r - rover) (:init) (:goal (ready)))", "object 'r' is declared twice"),
    case(
        "constant as an object of another type",
        TASK + "(:objects §home - rock) (:init) (:goal (ready)))",
        "the object 'home' is a constant of the domain, of type 'place'",
    ),
    case(
        "function twice",
        "(define (domain a) (:requirements :fluents) (:functions (f) (§f)))",
        "function 'f' is declared twice",
    ),
    case(
        "two values",
        TASK + "(:init (= (distance home home) 1) §(= (distance home home) 2)) (:goal (ready)))",
        "the function term (distance home home) has two values, 1 and 2",
    ),
    case(
        "true and false",
        TASK + "(:init (ready) (not §(ready))) (:goal (ready)))",
        "the atom (ready) is listed as true and as false",
    ),
    # --- several errors
    case(
        "several errors",
        HEAD
        + MOVE
        + ":precondition (§redy) :effect (probabilistic §2 (at §?x ?p)))\n(:action §move :effect §(at home)))",
        "unknown predicate 'redy'",
        "the probability '2' is over 1",
        "unknown variable '?x'",
        "action 'move' is declared twice",
        "predicate 'at' takes 2 arguments, not 1",
        hint="did you mean 'ready'?",
    ),
    case(
        "errors of domain and problem",
        "(define (domain a) (:requirements :strips) (:predicates (p) §q))\n"
        "(define (problem b) (:domain a) (:objects x) (:init (q) (r x) §(p x) (p §,)) (:goal (p)))",
        "expected a predicate declaration, found 'q'",
        "predicate 'p' takes 0 arguments, not 1",
        "the character ',' cannot stand in PPDDL",
    ),
    case(
        "no complaints about names after a broken declaration",
        "(define (domain a) (:requirements :typing) (:types b §?c) (:predicates (p ?x - c) (q ?y - §-)))\n"
        "(define (problem e) (:domain a) (:objects x - c) (:init (p x) (q x)) (:goal (p §?z)))",
        "expected a type name, found '?c'",
        "expected a type name, found '-'",
        "unknown variable '?z'",
    ),
    # --- not supported
    unsupported(
        "derived",
        "(define (domain a) (:predicates (p)) §(:derived (q) (p)))",
        "derived predicates (':derived') are not supported",
    ),
    unsupported(
        "durative action",
        "(define (domain a) §(:durative-action b))",
        "durative actions (':durative-action') are not supported",
    ),
    unsupported(
        "constraints",
        TASK + "(:init) (:goal (ready)) §(:constraints (always (ready))))",
        "trajectory constraints (':constraints') are not supported",
    ),
    unsupported("process", "(define (domain a) §(:process b))", "processes (':process') are not supported"),
    unsupported("event", "(define (domain a) §(:event b))", "events (':event') are not supported"),
    unsupported(
        "numeric condition",
        HEAD + MOVE + ":precondition §(< (distance home ?p) 3) :effect (ready)))",
        "numeric conditions ('<') are not supported",
    ),
    unsupported(
        "numeric equality",
        HEAD + MOVE + ":precondition §(= (distance home ?p) 3) :effect (ready)))",
        "numeric conditions ('=' on numbers) are not supported",
    ),
    unsupported("assign", HEAD + MOVE + ":effect §(assign (distance home ?p) 3)))", "'assign' is not supported"),
    unsupported("scale-up", HEAD + MOVE + ":effect §(scale-up (reward) 3)))", "'scale-up' is not supported"),
    unsupported(
        "other quantity",
        HEAD + MOVE + ":effect (increase §(fuel ?r) 3)))",
        "'increase' of '(fuel ?r)' is not supported",
    ),
    unsupported(
        "arithmetic", HEAD + MOVE + ":effect (increase (reward) §(+ 1 2))))", "arithmetic ('(+ 1 …)') is not supported"
    ),
    unsupported(
        "object fluents",
        HEAD + MOVE + ":effect (at ?r §(home-of ?r))))",
        "'(home-of ?r)' as an argument (object fluents) is not supported",
    ),
    unsupported(
        "object function",
        "(define (domain a) (:requirements :typing) (:types b) (:functions (f) §- b))",
        "functions with values other than numbers (object fluents) are not supported",
    ),
    unsupported(
        "oneof",
        HEAD + MOVE + ":effect §(oneof (ready) (at ?r ?p))))",
        "non-deterministic effects ('oneof') are not supported",
    ),
    unsupported("observe", HEAD + MOVE + "§:observe (ready)))", "observations (':observe') are not supported"),
    unsupported(
        "vars",
        HEAD + MOVE + "§:vars (?x - place) :effect (ready)))",
        "variables outside of the parameters (':vars') are not supported",
    ),
    unsupported(
        "probabilistic init",
        TASK + "(:init §(probabilistic 0.5 (ready))) (:goal (ready)))",
        "a probabilistic initial state is not supported",
    ),
    unsupported(
        "timed literal", TASK + "(:init §(at 5 (ready))) (:goal (ready)))", "timed initial literals are not supported"
    ),
    unsupported("preference", TASK + "(:init) (:goal §(preference p1 (ready))))", "preferences are not supported"),
    unsupported(
        "other metric",
        TASK + "(:init) (:goal (ready)) (:metric minimize §(total-time)))",
        "a metric over '(total-time)' is not supported",
    ),
]
