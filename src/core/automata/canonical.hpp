// Canonical abstraction of states and actions (Sagiv, Reps and Wilhelm 2002), as generalized policy automata use it.
//
// The role of an object is the set of its features: its types, the unary predicates that hold of it, the identity of a
// domain constant, and whatever else the front end calls a unary feature. Predicates without arguments are features of
// one phantom object. An abstract state says how many objects each role has (none, one, many), and for each predicate
// with two or more arguments and each tuple of roles whether it holds for none, for all, or for some of the tuples of
// objects. An abstract action is a schema with the roles of its arguments. Names and numbers of objects are gone.
//
// Features are numbered by the front end, for the whole domain, so what is spelled out means the same in every problem.
// One evaluation is linear in the number of true atoms (static ones of arity two and more included) and objects, unless
// few atoms differ from the state evaluated last, as they do between a state and its successors: then only the roles
// that these atoms touch are found again (roles.hpp), and only relations of objects whose role has changed are counted
// again (relations.hpp).
//
// Coarser levels forget numbers: at level 1 whether a role has one object or many, at level 2 whether a relation holds
// for some tuples or for all, too, and at level 3 relations altogether. An abstraction may be asked to see no more
// than that from the start.
//
// Example, Gripper with the robot in room A and two of five balls in B: the roles are {room, robot-in} once, {room}
// once, {ball} many, {hand, free} many; ball-in({ball}, {room, robot-in}) holds for some, ball-in({ball}, {room}) for
// some.
#pragma once

#include "automata/abstraction.hpp"
#include "automata/relations.hpp"
#include "automata/roles.hpp"

namespace gpaplan {

// What an abstract state does not say.
struct Forgotten {
    bool counts = false;     // whether a role has one object or many
    bool extents = false;    // whether a relation holds for some tuples or for all
    bool relations = false;  // which relations hold
};

class CanonicalAbstraction : public Abstraction {
public:
    // `ignored` are predicates of arity two and more that are left out of abstract states. The task must outlive it.
    CanonicalAbstraction(const Task& task, const Features& features, const Indices& ignored, Forgotten forgotten = {});

    AbstractId enter(const Word* state) override;
    AbstractId action(ActionId action) override;
    AbstractId state(const Word* state) override;
    std::uint32_t state_count() const override { return states_.size(); }
    std::uint32_t action_count() const override { return actions_.size(); }
    std::uint32_t coarsest() const override { return 3; }
    AbstractId coarsened(AbstractId state, std::uint32_t level) override;

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
    bool find_changes(const Word* state);
    void write_code();

    const Task& task_;
    Forgotten forgotten_;
    ObjectRoles roles_;      // in the state evaluated last
    Relations relations_;    // in the state evaluated last
    Indices entered_roles_;  // of objects, in the state entered
    ListInterner states_;    // codes
    ListInterner actions_;

    std::vector<Word> last_;  // the state evaluated last; empty if there is none
    AbstractId last_id_ = no_id;
    Indices changed_;  // atoms
    Indices code_;
};

}  // namespace gpaplan
