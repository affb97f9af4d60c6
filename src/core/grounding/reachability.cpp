#include "grounding/reachability.hpp"

namespace gpaplan {

namespace {

struct BodyAtom {
    std::uint32_t predicate;
    std::vector<std::int32_t> terms;
};

struct JoinRule {
    std::uint32_t schema = 0;
    bool makes_action = false;
    std::vector<BodyAtom> body;                 // positive atoms to be matched
    std::vector<const LiftedNode*> filters;     // decided by static atoms and equality alone
    std::vector<const LiftedNode*> conditions;  // the rest: may depend on atoms not reached yet
    std::vector<BodyAtom> heads;
};

enum class StepKind : std::uint8_t { match, enumerate, filter };

struct JoinStep {
    StepKind kind;
    std::uint32_t which;          // body atom, variable, or filter
    std::uint32_t index = no_id;  // of `match`: the index to look in; no_id when every argument is bound
    bool before_trigger = false;  // of `match`: the atom must be older than the trigger
};

// How to complete a match of a rule whose body atom `trigger` is the atom just taken.
struct Plan {
    std::uint32_t rule;
    std::uint32_t trigger;  // no_id: the rule has no fluent body atom and fires once
    std::vector<JoinStep> steps;
};

// The visible atoms of a predicate by the values of some of their arguments.
struct JoinIndex {
    std::uint32_t predicate;
    std::uint64_t bound;  // bit i: argument i is part of the key
    KeyedLists atoms;
};

void collect_fluents(const LiftedNode& effect, std::vector<bool>& fluent) {
    if (effect.kind == LiftedKind::add || effect.kind == LiftedKind::remove) fluent[effect.symbol] = true;
    for (const auto& child : effect.children) collect_fluents(child, fluent);
}

bool mentions_fluent(const LiftedNode& formula, const std::vector<bool>& fluent) {
    if (formula.kind == LiftedKind::atom || formula.kind == LiftedKind::not_atom) return fluent[formula.symbol];
    return std::ranges::any_of(formula.children, [&](const auto& child) { return mentions_fluent(child, fluent); });
}

// Whether a formula holds whatever is reached, because negative conditions on fluents are ignored.
bool is_ignored(const LiftedNode& formula, const std::vector<bool>& fluent) {
    const auto ignored = [&](const LiftedNode& child) { return is_ignored(child, fluent); };
    switch (formula.kind) {
        case LiftedKind::not_atom:
            return fluent[formula.symbol];
        case LiftedKind::conjunction:
        case LiftedKind::forall:
            return std::ranges::all_of(formula.children, ignored);
        case LiftedKind::disjunction:
            return std::ranges::any_of(formula.children, ignored);
        default:
            return false;
    }
}

void collect_variables(const LiftedNode& formula, std::vector<bool>& used) {
    for (auto term : formula.terms)
        if (term < 0) used[static_cast<std::size_t>(~term)] = true;
    for (const auto& child : formula.children) collect_variables(child, used);
    if (formula.kind == LiftedKind::forall || formula.kind == LiftedKind::exists) used[formula.symbol] = false;
}

class Reachability {
public:
    Reachability(const LiftedTask& task, const std::vector<DecodedSchema>& schemas, std::uint64_t max_actions,
                 Stop& stop)
        : task_(task), schemas_(schemas), max_actions_(max_actions), stop_(stop) {
        reached_.is_fluent.assign(task.predicate_arities.size(), false);
        reached_.actions.resize(schemas.size());
        reached_.action_counts.resize(schemas.size());
        for (const auto& schema : schemas) collect_fluents(schema.effect, reached_.is_fluent);
        for (const auto& domain : task.domains) {
            member_.emplace_back(task.object_count, false);
            for (auto object : domain) member_.back()[object] = true;
        }
    }

    Reached run() {
        make_rules();
        make_plans();
        insert_initial_atoms();
        for (const auto& plan : plans_)
            if (plan.trigger == no_id) start(plan, no_id);
        do {
            for (; taken_ < reached_.atoms.size(); ++taken_) {
                enter_indices(taken_);
                for (auto p : plans_at_[reached_.predicate(taken_)]) start(plans_[p], taken_);
            }
        } while (retry_pending());
        return std::move(reached_);
    }

private:
    // --- rules ---

    void make_rules() {
        for (std::uint32_t s = 0; s < schemas_.size(); ++s) {
            JoinRule rule;
            rule.schema = s;
            rule.makes_action = true;
            add_condition(rule, schemas_[s].precondition);
            rules_.push_back(rule);
            const auto action_rule = rules_.size() - 1;
            add_heads(s, action_rule, schemas_[s].effect, {}, false);
        }
    }

    void add_condition(JoinRule& rule, const LiftedNode& formula) {
        const auto& fluent = reached_.is_fluent;
        if (formula.kind == LiftedKind::conjunction) {
            for (const auto& child : formula.children) add_condition(rule, child);
        } else if (formula.kind == LiftedKind::atom) {
            rule.body.push_back({formula.symbol, formula.terms});
        } else if (is_ignored(formula, fluent)) {
            return;
        } else if (mentions_fluent(formula, fluent)) {
            rule.conditions.push_back(&formula);
        } else {
            rule.filters.push_back(&formula);
        }
    }

    // Adds on the way down to which nothing but `and` and `probabilistic` was met are heads of the action's own rule;
    // every other add gets a rule.
    void add_heads(std::uint32_t schema, std::size_t action_rule, const LiftedNode& effect,
                   std::vector<const LiftedNode*> conditions, bool own_rule) {
        switch (effect.kind) {
            case LiftedKind::add:
                if (own_rule) {
                    JoinRule rule;
                    rule.schema = schema;
                    add_condition(rule, schemas_[schema].precondition);
                    for (const auto* condition : conditions) add_condition(rule, *condition);
                    rule.heads.push_back({effect.symbol, effect.terms});
                    rules_.push_back(std::move(rule));
                } else {
                    rules_[action_rule].heads.push_back({effect.symbol, effect.terms});
                }
                return;
            case LiftedKind::when:
                conditions.push_back(&effect.children[0]);
                return add_heads(schema, action_rule, effect.children[1], conditions, true);
            case LiftedKind::forall:
                own_rule = true;
                break;
            default:
                break;
        }
        for (const auto& child : effect.children) add_heads(schema, action_rule, child, conditions, own_rule);
    }

    // --- plans ---

    void make_plans() {
        plans_at_.resize(task_.predicate_arities.size());
        for (std::uint32_t r = 0; r < rules_.size(); ++r) {
            bool has_fluent = false;
            for (std::uint32_t i = 0; i < rules_[r].body.size(); ++i) {
                const auto predicate = rules_[r].body[i].predicate;
                if (!reached_.is_fluent[predicate]) continue;
                has_fluent = true;
                plans_at_[predicate].push_back(static_cast<std::uint32_t>(plans_.size()));
                plans_.push_back(make_plan(r, i));
            }
            if (!has_fluent) plans_.push_back(make_plan(r, no_id));
        }
    }

    Plan make_plan(std::uint32_t r, std::uint32_t trigger) {
        const JoinRule& rule = rules_[r];
        const auto& domains = schemas_[rule.schema].schema->variable_domains;
        Plan plan{r, trigger, {}};
        std::vector<bool> bound(domains.size(), false);
        std::vector<bool> matched(rule.body.size(), false);
        std::vector<bool> filtered(rule.filters.size(), false);
        const auto bind = [&](const BodyAtom& atom) {
            for (auto term : atom.terms)
                if (term < 0) bound[static_cast<std::size_t>(~term)] = true;
        };
        if (trigger != no_id) {
            matched[trigger] = true;
            bind(rule.body[trigger]);
        }
        add_filters(plan, rule, bound, filtered);
        for (std::size_t left = rule.body.size() - (trigger != no_id ? 1 : 0); left > 0; --left) {
            const auto i = best_next(rule, matched, bound);
            plan.steps.push_back({StepKind::match, i, index_for(rule.body[i], bound), trigger != no_id && i < trigger});
            matched[i] = true;
            bind(rule.body[i]);
            add_filters(plan, rule, bound, filtered);
        }
        for (auto variable : needed_variables(rule, domains.size())) {
            if (bound[variable]) continue;
            plan.steps.push_back({StepKind::enumerate, variable});
            bound[variable] = true;
            add_filters(plan, rule, bound, filtered);
        }
        return plan;
    }

    void add_filters(Plan& plan, const JoinRule& rule, const std::vector<bool>& bound, std::vector<bool>& filtered) {
        for (std::uint32_t i = 0; i < rule.filters.size(); ++i) {
            if (filtered[i]) continue;
            std::vector<bool> used(bound.size(), false);
            collect_variables(*rule.filters[i], used);
            for (std::size_t v = 0; v < used.size(); ++v) used[v] = used[v] && !bound[v];
            if (std::ranges::find(used, true) != used.end()) continue;
            filtered[i] = true;
            plan.steps.push_back({StepKind::filter, i});
        }
    }

    // An atom that shares a bound variable or constant, for the others multiply the matches; among these the one with
    // the fewest unbound arguments, then a static one, then the first.
    std::uint32_t best_next(const JoinRule& rule, const std::vector<bool>& matched,
                            const std::vector<bool>& bound) const {
        constexpr std::size_t product = 1'000'000;  // more than any number of arguments, so that it decides
        std::uint32_t best = no_id;
        std::size_t best_score = ~std::size_t{0};
        for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
            if (matched[i]) continue;
            std::size_t unbound = 0;
            for (auto term : rule.body[i].terms)
                if (term < 0 && !bound[static_cast<std::size_t>(~term)]) ++unbound;
            const bool shares = unbound < rule.body[i].terms.size() || unbound == 0;
            const std::size_t score =
                (shares ? 0 : product) + 2 * unbound + (reached_.is_fluent[rule.body[i].predicate] ? 1 : 0);
            if (score < best_score) {
                best = i;
                best_score = score;
            }
        }
        return best;
    }

    std::uint32_t index_for(const BodyAtom& atom, const std::vector<bool>& bound) {
        std::uint64_t mask = 0;
        for (std::size_t k = 0; k < atom.terms.size() && k < 64; ++k)
            if (atom.terms[k] >= 0 || bound[static_cast<std::size_t>(~atom.terms[k])]) mask |= std::uint64_t{1} << k;
        const bool all = atom.terms.size() <= 64 && static_cast<std::size_t>(std::popcount(mask)) == atom.terms.size();
        if (all) return no_id;
        for (std::uint32_t i = 0; i < indices_.size(); ++i)
            if (indices_[i].predicate == atom.predicate && indices_[i].bound == mask) return i;
        indices_.push_back({atom.predicate, mask, {}});
        return static_cast<std::uint32_t>(indices_.size() - 1);
    }

    // For an action every parameter; for an add only the variables that it or a condition mentions.
    Indices needed_variables(const JoinRule& rule, std::size_t count) const {
        std::vector<bool> needed(count, false);
        if (rule.makes_action)
            for (std::uint32_t v = 0; v < schemas_[rule.schema].schema->parameter_count; ++v) needed[v] = true;
        for (const auto* condition : rule.conditions) collect_variables(*condition, needed);
        for (const auto* filter : rule.filters) collect_variables(*filter, needed);
        for (const auto& head : rule.heads)
            for (auto term : head.terms)
                if (term < 0) needed[static_cast<std::size_t>(~term)] = true;
        Indices result;
        for (std::uint32_t v = 0; v < count; ++v)
            if (needed[v]) result.push_back(v);
        return result;
    }

    // --- matching ---

    void insert_initial_atoms() {
        for (const bool fluent : {false, true}) {
            for (const auto& atom : task_.initial_atoms)
                if (reached_.is_fluent[atom[0]] == fluent) reached_.atoms.intern(atom);
            (fluent ? reached_.initial_count : reached_.static_count) = reached_.atoms.size();
        }
        for (; taken_ < reached_.static_count; ++taken_) enter_indices(taken_);
    }

    void enter_indices(std::uint32_t atom) {
        stop_.poll();
        const auto arguments = reached_.arguments(atom);
        for (auto& index : indices_) {
            if (index.predicate != reached_.predicate(atom)) continue;
            key_.clear();
            for_each_bit_of(index.bound, 0, [&](auto k) { key_.push_back(arguments[k]); });
            index.atoms[key_].push_back(atom);
        }
    }

    void start(const Plan& plan, std::uint32_t atom) {
        const JoinRule& rule = rules_[plan.rule];
        const auto& schema = *schemas_[rule.schema].schema;
        for (std::uint32_t v = 0; v < schema.parameter_count; ++v)
            if (task_.domains[schema.variable_domains[v]].empty()) return;
        binding_.assign(schema.variable_domains.size(), no_id);
        Indices trail;
        if (plan.trigger == no_id || bind(rule.body[plan.trigger], atom, schema, trail)) extend(plan, 0, atom);
    }

    // Matches the terms of a body atom with an atom; newly bound variables are appended to `trail`.
    bool bind(const BodyAtom& pattern, std::uint32_t atom, const LiftedSchema& schema, Indices& trail) {
        for (std::size_t k = 0; k < pattern.terms.size(); ++k) {
            const auto object = reached_.arguments(atom)[k];
            const auto term = pattern.terms[k];
            if (term >= 0) {
                if (static_cast<std::uint32_t>(term) != object) return false;
                continue;
            }
            const auto variable = static_cast<std::uint32_t>(~term);
            if (binding_[variable] == no_id) {
                if (!member_[schema.variable_domains[variable]][object]) return false;
                binding_[variable] = object;
                trail.push_back(variable);
            } else if (binding_[variable] != object) {
                return false;
            }
        }
        return true;
    }

    void extend(const Plan& plan, std::size_t at, std::uint32_t newest) {
        stop_.poll();
        const JoinRule& rule = rules_[plan.rule];
        if (at == plan.steps.size()) {
            complete(plan.rule);
            return;
        }
        const JoinStep& step = plan.steps[at];
        const auto& schema = *schemas_[rule.schema].schema;
        if (step.kind == StepKind::filter) {
            if (holds(*rule.filters[step.which], schema)) extend(plan, at + 1, newest);
        } else if (step.kind == StepKind::enumerate) {
            for (auto object : task_.domains[schema.variable_domains[step.which]]) {
                binding_[step.which] = object;
                extend(plan, at + 1, newest);
            }
            binding_[step.which] = no_id;
        } else {
            match(plan, step, at, newest);
        }
    }

    void match(const Plan& plan, const JoinStep& step, std::size_t at, std::uint32_t newest) {
        const BodyAtom& pattern = rules_[plan.rule].body[step.which];
        const auto& schema = *schemas_[rules_[plan.rule].schema].schema;
        if (step.index == no_id) {
            write_atom(pattern.predicate, pattern.terms, binding_, key_);
            const auto atom = reached_.atoms.find(key_);
            if (atom != no_id && visible(atom, step, newest)) extend(plan, at + 1, newest);
            return;
        }
        const auto& index = indices_[step.index];
        key_.clear();
        for_each_bit_of(index.bound, 0, [&](auto k) { key_.push_back(object_of(pattern.terms[k], binding_)); });
        const auto* found = index.atoms.find(key_);
        if (found == nullptr) return;
        Indices trail;
        for (auto atom : *found) {
            stop_.poll();
            if (!visible(atom, step, newest)) continue;
            trail.clear();
            if (bind(pattern, atom, schema, trail)) extend(plan, at + 1, newest);
            for (auto variable : trail) binding_[variable] = no_id;
        }
    }

    // Static atoms always are; fluent ones from the moment they are taken, and for body atoms left of the trigger only
    // those older than it, so that a match in which the newest atom stands twice is found once.
    bool visible(std::uint32_t atom, const JoinStep& step, std::uint32_t newest) const {
        if (atom < reached_.static_count) return true;
        if (newest == no_id) return false;
        return step.before_trigger ? atom < newest : atom <= newest;
    }

    // Whether a formula holds when negative conditions on fluents are ignored, given the atoms reached so far.
    bool holds(const LiftedNode& formula, const LiftedSchema& schema) {
        stop_.poll();
        const auto recurse = [&](const LiftedNode& child) { return holds(child, schema); };
        switch (formula.kind) {
            case LiftedKind::not_atom:
                if (reached_.is_fluent[formula.symbol]) return true;
                [[fallthrough]];
            case LiftedKind::atom:
                write_atom(formula.symbol, formula.terms, binding_, key_);
                return (reached_.atoms.find(key_) != no_id) == (formula.kind == LiftedKind::atom);
            case LiftedKind::equal:
            case LiftedKind::not_equal:
                return (object_of(formula.terms[0], binding_) == object_of(formula.terms[1], binding_)) ==
                       (formula.kind == LiftedKind::equal);
            case LiftedKind::conjunction:
                return std::ranges::all_of(formula.children, recurse);
            case LiftedKind::disjunction:
                return std::ranges::any_of(formula.children, recurse);
            case LiftedKind::forall:
            case LiftedKind::exists: {
                const bool wanted = formula.kind == LiftedKind::exists;
                bool found = false;
                for (auto object : task_.domains[schema.variable_domains[formula.symbol]]) {
                    binding_[formula.symbol] = object;
                    found = recurse(formula.children[0]) == wanted;
                    if (found) break;
                }
                binding_[formula.symbol] = no_id;
                return found == wanted;
            }
            default:
                throw InternalError("lifted task: an effect is no formula");
        }
    }

    // --- firing ---

    // Fires a rule under the binding at hand if its conditions hold; else it waits.
    bool complete(std::uint32_t r) {
        const auto& rule = rules_[r];
        const auto& schema = *schemas_[rule.schema].schema;
        if (!std::ranges::all_of(rule.conditions, [&](const auto* each) { return holds(*each, schema); })) {
            pending_.emplace_back(r, binding_);
            return false;
        }
        if (rule.makes_action) {
            if (++action_total_ > max_actions_)
                throw TaskTooLarge("more than " + std::to_string(max_actions_) + " ground actions");
            const auto count = schemas_[rule.schema].schema->parameter_count;
            auto& list = reached_.actions[rule.schema];
            list.insert(list.end(), binding_.begin(), binding_.begin() + count);
            ++reached_.action_counts[rule.schema];
        }
        for (const auto& head : rule.heads) {
            write_atom(head.predicate, head.terms, binding_, key_);
            reached_.atoms.intern(key_);
        }
        return true;
    }

    bool retry_pending() {
        std::vector<std::pair<std::uint32_t, Binding>> waiting;
        waiting.swap(pending_);
        bool fired = false;
        for (auto& [r, binding] : waiting) {
            stop_.poll();
            binding_ = std::move(binding);
            fired = complete(r) || fired;
        }
        return fired;
    }

    const LiftedTask& task_;
    const std::vector<DecodedSchema>& schemas_;
    std::uint64_t max_actions_;
    Stop& stop_;
    Reached reached_;
    std::vector<std::vector<bool>> member_;  // of each domain: which objects belong to it
    std::vector<JoinRule> rules_;
    std::vector<Plan> plans_;
    std::vector<Indices> plans_at_;  // of each predicate: the plans that an atom of it triggers
    std::vector<JoinIndex> indices_;
    std::vector<std::pair<std::uint32_t, Binding>> pending_;
    Binding binding_;
    Indices key_;  // scratch
    std::uint32_t taken_ = 0;
    std::uint64_t action_total_ = 0;
};

}  // namespace

Reached reach(const LiftedTask& task, const std::vector<DecodedSchema>& schemas, std::uint64_t max_actions,
              Stop& stop) {
    return Reachability(task, schemas, max_actions, stop).run();
}

}  // namespace gpaplan
