// Canonical abstraction of states and actions (Sagiv, Reps and Wilhelm 2002), as generalized policy automata use it.
//
// The role of an object is the set of its features: types, unary predicates, the identity of a domain constant, and
// whatever else the front end calls one. Predicates without arguments are features of one phantom object. An abstract
// state says how many objects each role has (none, one, many), and for each predicate with more arguments and each
// tuple of roles whether it holds for none, all, or some tuples of objects. An abstract action is a schema with the
// roles of its arguments. Features are numbered for the whole domain, so ids spelled out mean the same everywhere.
//
// One evaluation is linear in the number of atoms that differ from the state evaluated last (roles.hpp, relations.hpp),
// unless counting all anew is less work. Coarser levels forget: level 1 whether a role has one object or many, level 2
// whether a relation holds for some tuples or all, level 3 relations. An abstraction may see no more from the start.
//
// Example, Gripper with the robot in room A and two of five balls in B: the roles are {room, robot-in} once, {room}
// once, {ball} many, {hand, free} many; ball-in holds for some of {ball} and each of the two kinds of rooms.
#pragma once

#include "automata/abstraction.hpp"
#include "automata/relations.hpp"

namespace gpaplan {

// What an abstract state does not say.
struct Forgotten {
    bool counts = false;     // whether a role has one object or many
    bool extents = false;    // whether a relation holds for some tuples or for all
    bool relations = false;  // which relations hold
};

inline constexpr std::uint32_t with_flag(std::uint32_t id, bool flag) { return 2 * id + (flag ? 1U : 0U); }

// Takes what is forgotten out of the code of an abstract state.
inline void coarsen(Indices& code, const Forgotten& forgotten) {
    const std::size_t relations = 2 + std::size_t{code[1]};
    if (forgotten.relations) code.resize(relations);
    const auto clear_flags = [&](std::size_t first, std::size_t end) {
        for (auto i = first; i < end; ++i) code[i] &= ~std::uint32_t{1};
    };
    if (forgotten.counts) clear_flags(2, relations);
    if (forgotten.extents) clear_flags(relations, code.size());
}

class CanonicalAbstraction : public Abstraction {
public:
    // `ignored` are predicates of arity two and more that are left out of abstract states. The task must outlive it.
    CanonicalAbstraction(const Task& task, const Features& features, const Indices& ignored, Forgotten forgotten)
        : task_(task),
          forgotten_(forgotten),
          roles_(task, features),
          relations_(task, features.object_count, ignored),
          last_(task.word_count(), 0) {}

    AbstractId enter(const Word* state) override {
        const auto id = this->state(state);
        entered_roles_ = roles_.of_objects();
        return id;
    }

    AbstractId action(ActionId action) override {
        code_.assign(1, task_.action_schemas[action]);
        for (auto object : task_.action_arguments[action]) code_.push_back(entered_roles_[object]);
        return actions_.intern(code_);
    }

    AbstractId state(const Word* state) override {
        changed_.clear();
        for (std::uint32_t w = 0; w < task_.word_count(); ++w)
            for_each_bit_of(state[w] ^ last_[w], w, [&](AtomId atom) { changed_.push_back(atom); });
        if (changed_.empty() && last_id_ != no_id) return last_id_;
        const auto& moved = roles_.find_moved(state, changed_);
        const bool is_partial = last_id_ != no_id && relations_.leave(last_.data(), roles_, changed_, moved);
        roles_.move();
        if (is_partial)
            relations_.enter(state, roles_);
        else
            relations_.count(state, roles_);
        last_.assign(state, state + task_.word_count());
        write_code();
        coarsen(code_, forgotten_);
        last_id_ = states_.intern(code_);
        return last_id_;
    }

    std::uint32_t state_count() const override { return states_.size(); }
    std::uint32_t action_count() const override { return actions_.size(); }
    std::uint32_t coarsest() const override { return 3; }
    AbstractId coarsened(AbstractId state, std::uint32_t level) override {
        const auto code = states_[state];
        code_.assign(code.begin(), code.end());
        coarsen(code_, {.counts = level >= 1, .extents = level >= 2, .relations = level >= 3});
        return states_.intern(code_);
    }

    // What an id means, and the id of what was learned elsewhere. The code of an abstract state is the phantom's role,
    // the number of roles, the roles and then the relations, both ascending and doubled, plus 1 if many objects have
    // the role, or if the relation holds for all tuples; that of an action is its schema and the roles of its
    // arguments.
    IndexSpan code(AbstractId state) const { return states_[state]; }
    IndexSpan action_code(AbstractId action) const { return actions_[action]; }
    AbstractId intern(IndexSpan code) { return states_.intern(code); }
    AbstractId intern_action(IndexSpan code) { return actions_.intern(code); }

    RoleTable& roles() { return roles_.table(); }
    Relations& relations() { return relations_; }
    const Indices& entered_roles() const { return entered_roles_; }  // of objects, in the state entered; phantom last

private:
    void write_code() {
        const auto& used = roles_.used();
        code_.assign({roles_[roles_.phantom()], static_cast<std::uint32_t>(used.size())});
        for (auto role : used) code_.push_back(with_flag(role, roles_.size(role) > 1));
        for (auto relation : relations_.counted()) {
            std::uint64_t tuples = 1;
            for (auto role : relations_[relation].subspan(1)) tuples *= roles_.size(role);
            code_.push_back(with_flag(relation, relations_.count_of(relation) == tuples));
        }
    }

    const Task& task_;
    Forgotten forgotten_;
    ObjectRoles roles_;      // in the state evaluated last
    Relations relations_;    // in the state evaluated last
    Indices entered_roles_;  // of objects, in the state entered
    ListInterner states_;    // codes
    ListInterner actions_;

    std::vector<Word> last_;      // the state evaluated last, at first one without atoms,
    AbstractId last_id_ = no_id;  // which has no id
    Indices changed_;             // atoms
    Indices code_;
};

}  // namespace gpaplan
