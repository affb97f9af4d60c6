// Abstraction, and what generalized policy automata need of the core.

#include <unordered_map>

#include "automata/canonical.hpp"
#include "automata/constraint.hpp"
#include "automata/ties.hpp"
#include "bindings/bindings.hpp"
#include "solvers/bootstrap.hpp"

namespace gpaplan {

namespace {

// A function of what has an id among so many.
template <typename Count, typename Function>
auto checked(Count count, Function function) {
    return [=](CanonicalAbstraction& self, std::uint32_t id) {
        check_index(id, std::invoke(count, self));
        return std::invoke(function, self, id);
    };
}

using StateText = nb::typed<nb::callable, std::string(Indices)>;
using ActionText = nb::typed<nb::callable, std::string(Indices, ActionId)>;
using ActionTest = nb::typed<nb::callable, bool(Indices, ActionId)>;

// What Python says of a state, given by its atoms.
template <typename Result, typename Function, typename... More>
Result ask(const Function& function, const Task& task, const Word* state, More... more) {
    const nb::gil_scoped_acquire gil;
    return nb::cast<Result>(function(to_atoms(task, state), more...));
}

// Texts by id, in order of first meeting.
class TextTable {
public:
    std::uint32_t intern(const std::string& text) {
        const auto [place, is_new] = ids_.try_emplace(text, size());
        if (is_new) texts_.push_back(&place->first);
        return place->second;
    }
    const std::string& operator[](std::uint32_t id) const { return *texts_[id]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }

private:
    std::unordered_map<std::string, std::uint32_t> ids_;
    std::vector<const std::string*> texts_;
};

// An abstraction written in Python, whose labels are texts.
class TextAbstraction : public Abstraction {
public:
    TextAbstraction(const Task& task, StateText state_text, ActionText action_text)
        : task_(task), state_text_(std::move(state_text)), action_text_(std::move(action_text)) {}

    AbstractId enter(const Word* state) override {
        entered_.assign(state, state + task_.word_count());
        return this->state(state);
    }
    AbstractId action(ActionId action) override {
        return actions.intern(ask<std::string>(action_text_, task_, entered_.data(), action));
    }
    AbstractId state(const Word* state) override {
        if (last_.empty() || !std::equal(last_.begin(), last_.end(), state)) {
            last_id_ = states.intern(ask<std::string>(state_text_, task_, state));
            last_.assign(state, state + task_.word_count());
        }
        return last_id_;
    }
    std::uint32_t state_count() const override { return states.size(); }
    std::uint32_t action_count() const override { return actions.size(); }

    TextTable states;
    TextTable actions;

private:
    const Task& task_;
    StateText state_text_;
    ActionText action_text_;
    std::vector<Word> entered_;
    std::vector<Word> last_;  // the state asked about last; empty if there is none
    AbstractId last_id_ = no_id;
};

// A filter written in Python, which has one match.
class FunctionFilter : public MatchingFilter {
public:
    FunctionFilter(const Task& task, ActionTest keeps, bool lenient)
        : MatchingFilter(1, lenient), task_(task), keeps_(std::move(keeps)) {}

    bool keeps_action(ActionId action) override {
        return keeps_everything() || ask<bool>(keeps_, task_, state_, action);
    }

private:
    void compare(const Word* bits, IndexSpan /*actions*/) override { state_ = bits; }

    const Task& task_;
    ActionTest keeps_;
    const Word* state_ = nullptr;  // the state entered, as long as it is expanded
};

// What a filter says of the actions of a state in a space that it does not filter: the number of the match that keeps
// some, or of all if none does; and by that match, or by the last, of each action whether it is kept, and, if it is
// not, which outcome is refused; no_id if none is.
std::pair<std::uint32_t, std::vector<std::tuple<ActionId, bool, StateId>>> match_actions(MatchingFilter& filter,
                                                                                         StateSpace& space,
                                                                                         StateId state) {
    check_index(state, space.size());
    std::vector<std::tuple<ActionId, bool, StateId>> matched;
    const auto block = space.expand(state);
    Indices actions;
    for (const auto transition : block) actions.push_back(transition.action);
    bool again = true;
    while (again) {
        matched.clear();
        again = true;
        filter.enter(state, space.bits(state), actions);
        for (const auto transition : block) {
            bool kept = filter.keeps_action(transition.action);
            auto refused = no_id;
            for (const auto& outcome : transition.outcomes) {
                if (!kept) break;
                kept = filter.keeps_outcome(no_id, space.bits(outcome.successor));
                if (!kept) refused = outcome.successor;
            }
            matched.emplace_back(transition.action, kept, refused);
            again = again && !kept;
        }
        again = again && !actions.empty() && filter.relents();
    }
    return {filter.match_of(state), matched};
}

Indices match_counts(const MatchingFilter& filter, const StateSpace& space) {
    Indices counts;
    for (StateId state = 0; state < space.size(); ++state) {
        if (!space.is_expanded(state) || space.is_goal(state)) continue;
        const auto match = filter.match_of(state);
        counts.resize(std::max<std::size_t>(counts.size(), match + 1), 0);
        ++counts[match];
    }
    return counts;
}

std::vector<TieChoice> choose(Search& search, const std::string& ties, double tolerance, Abstraction& abstraction,
                              const EdgeSet& edges, Stop& stop) {
    const auto kind = named<Ties>(ties);
    const nb::gil_scoped_release release;
    const StopScope scope(search, &stop);
    return choose_optimal_actions(search, kind, tolerance, abstraction, edges);
}

void bind_abstraction(nb::module_& module) {
    nb::class_<Abstraction>(module, "Abstraction",
                            "Abstract ids of states and actions (src/core/automata/abstraction.hpp).")
        .def(
            "state",
            [](Abstraction& self, const StateSpace& space, StateId state) { return self.state(bits_of(space, state)); },
            "space"_a, "state"_a, "The abstract id of a state.")
        .def(
            "action",
            [](Abstraction& self, const StateSpace& space, StateId state, ActionId action) {
                check_index(action, space.task().action_count());
                self.enter(bits_of(space, state));
                return self.action(action);
            },
            "space"_a, "state"_a, "action"_a, "The abstract id of an action in a state.")
        .def(
            "coarsened",
            [](Abstraction& self, AbstractId state, std::uint32_t level) {
                check_index(state, self.state_count());
                check_index(level, self.coarsest() + 1);
                return self.coarsened(state, level);
            },
            "state"_a, "level"_a, "The id of an abstract state at an abstraction level.");
    nb::class_<CanonicalAbstraction, Abstraction>(module, "CanonicalAbstraction",
                                                  "Canonical abstraction (src/core/automata/canonical.hpp).")
        .def(
            "__init__",
            [](CanonicalAbstraction* self, const Task& task, std::uint32_t object_count, std::uint32_t feature_count,
               Ranges of_object, Ranges when_true, Indices when_false, const Indices& ignored, bool counts,
               bool extents, bool relations) {
                const Features features{object_count, feature_count, std::move(of_object), std::move(when_true),
                                        std::move(when_false)};
                new (self) CanonicalAbstraction(task, features, ignored, {!counts, !extents, !relations});
            },
            "task"_a, nb::kw_only(), "object_count"_a, "feature_count"_a, "of_object"_a, "when_true"_a, "when_false"_a,
            "ignored"_a = Indices{}, "counts"_a = true, "extents"_a = true, "relations"_a = true,
            nb::keep_alive<1, 2>())
        .def("intern", [](CanonicalAbstraction& self, const Indices& code) { return self.intern(code); })
        .def("intern_action", [](CanonicalAbstraction& self, const Indices& code) { return self.intern_action(code); })
        .def("intern_role",
             [](CanonicalAbstraction& self, const Indices& features) { return self.roles().intern(features); })
        .def("intern_relation",
             [](CanonicalAbstraction& self, const Indices& name) { return self.relations().intern(name); })
        .def("code", checked(&CanonicalAbstraction::state_count, &CanonicalAbstraction::code),
             "The phantom's role, the number of roles, roles and relations, doubled, plus 1 for many and for all.")
        .def("action_code", checked(&CanonicalAbstraction::action_count, &CanonicalAbstraction::action_code),
             "The schema, and each argument's role.")
        .def("features",
             checked([](auto& self) { return self.roles().size(); },
                     [](auto& self, RoleId role) { return self.roles().features(role); }),
             "Of a role.")
        .def("relation",
             checked([](auto& self) { return self.relations().size(); },
                     [](auto& self, std::uint32_t relation) { return self.relations()[relation]; }),
             "Its predicate, and the roles between which it is.")
        .def(
            "roles",
            [](CanonicalAbstraction& self, const StateSpace& space, StateId state) {
                self.enter(bits_of(space, state));
                return Indices(self.entered_roles());
            },
            "space"_a, "state"_a, "The roles of the objects in a state, that of the phantom last.");
    nb::class_<TextAbstraction, Abstraction>(module, "TextAbstraction", "Labels that Python gives.")
        .def(nb::init<const Task&, StateText, ActionText>(), "task"_a, "state"_a, "action"_a, nb::keep_alive<1, 2>(),
             "`state` is called with the indices of the atoms that hold, `action` with these and the action's index.")
        .def("intern", [](TextAbstraction& self, const std::string& text) { return self.states.intern(text); })
        .def("intern_action", [](TextAbstraction& self, const std::string& text) { return self.actions.intern(text); })
        .def("spell_out",
             [](const TextAbstraction& self, AbstractId id) {
                 check_index(id, self.state_count());
                 return self.states[id];
             })
        .def("spell_out_action", [](const TextAbstraction& self, AbstractId id) {
            check_index(id, self.action_count());
            return self.actions[id];
        });
}

void bind_filters(nb::module_& module) {
    nb::class_<MatchingFilter>(module, "TransitionFilter",
                               "What prunes; each is for one space (src/core/automata/matching_filter.hpp).")
        .def("match_actions", &match_actions, "space"_a, "state"_a,
             "The number of the match of a state, and (action, is kept, refused outcome) of each action.")
        .def("match_of", &MatchingFilter::match_of, "state"_a,
             "By which match an expanded state was matched; as many as there are if by none.")
        .def("match_counts", &match_counts, "space"_a,
             "How many expanded states were matched by each match; goals are not counted.");
    nb::class_<Constraint, MatchingFilter>(module, "Constraint", "The filter of an automaton's edges.")
        .def(
            "__init__",
            [](Constraint* self, const Task& task, Abstraction& abstraction, const EdgeSet& edges,
               const std::vector<std::pair<std::uint32_t, bool>>& matches, bool lenient) {
                std::vector<RelaxedMatch> relaxed;
                for (const auto& [level, accepts_goals] : matches) relaxed.push_back({level, accepts_goals});
                new (self) Constraint(task, abstraction, edges, relaxed, lenient);
            },
            "task"_a, "abstraction"_a, "edges"_a, "matches"_a, "lenient"_a = false, nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
            "`matches` are pairs of an abstraction level and whether goals are accepted, tried in turn in each state.");
    nb::class_<FunctionFilter, MatchingFilter>(module, "FunctionFilter", "A filter that is a function.")
        .def(nb::init<const Task&, ActionTest, bool>(), "task"_a, "keeps"_a, "lenient"_a = false,
             nb::keep_alive<1, 2>(),
             "`keeps` is called with the indices of the atoms that hold and the action's index.");
}

}  // namespace

void bind_automaton(nb::module_& module) {
    bind_abstraction(module);
    nb::class_<EdgeSet>(module, "EdgeSet", "Hyperedges over the ids of an abstraction.")
        .def(nb::init<>())
        .def("add", &EdgeSet::add, "source"_a, "action"_a, "target"_a)
        .def("__len__", &EdgeSet::size);
    bind_filters(module);
    bind_names<Ties>(module, "tie_names", "Ways to break ties among optimal actions.");
    module.def("choose_optimal_actions", &choose, "search"_a, "ties"_a, "tolerance"_a, "abstraction"_a, "edges"_a,
               "stop"_a,
               "(state, action) of an optimal policy, ties broken as asked for (src/core/automata/ties.hpp).");
}

}  // namespace gpaplan
