// Canonical abstraction of states and actions (Sagiv, Reps and Wilhelm 2002), as generalized policy automata use it.
//
// The role of an object is the set of its features: its types, the unary predicates that hold of it, the identity of a
// domain constant, and whatever else the front end calls a unary feature. Predicates without arguments are features of
// one phantom object. An abstract state says how many objects each role has (none, one, many), and for each predicate
// with two or more arguments and each tuple of roles whether it holds for none, for all, or for some of the tuples of
// objects. An abstract action is a schema with the roles of its arguments. Names and numbers of objects are gone.
//
// Features are numbered by the front end, for the whole domain, so the result means the same in every problem. Abstract
// states are interned: equal ones have equal ids in one `Abstraction`, and a caller keeps the id of a concrete state in
// a column. One evaluation is linear in the number of true atoms (static ones of arity two and more included) and
// objects, unless few atoms differ from the state evaluated last, as they do between a state and its successors: then
// only the roles that these atoms touch are found again, and only relations of objects whose role has changed are
// counted again.
//
// Example, Gripper with the robot in room A and two of five balls in B: the roles are {room, robot-in} once, {room}
// once, {ball} many, {hand, free} many; ball-in({ball}, {room, robot-in}) holds for some, ball-in({ball}, {room}) for
// some.
#pragma once

#include <unordered_map>
#include <vector>

#include "base/bits.hpp"
#include "base/hash.hpp"
#include "task/task.hpp"

namespace gpaplan {

using RoleId = std::uint32_t;
using AbstractId = std::uint32_t;

// What the front end knows of features. Objects are numbered as in the task; object `object_count` is the phantom.
struct Features {
    std::uint32_t object_count = 0;
    std::uint32_t feature_count = 0;
    Ranges of_object;    // the static features of each object, the phantom last
    Ranges when_true;    // of each fluent atom: pairs (object, feature) that it gives when it holds
    Indices when_false;  // triples (atom, object, feature): given when the atom does not hold
    Indices ignored;     // predicates of arity two and more that are left out of abstract states
};

// An abstract state, spelled out. Roles are lists of features, ascending.
struct AbstractState {
    std::vector<Indices> roles;
    Indices counts;   // of each role: 1, or 2 for many
    Indices phantom;  // the features of the phantom object
    struct Relation {
        std::uint32_t predicate;
        Indices roles;  // indices into `roles`
        bool all;       // holds for all tuples; otherwise for some but not all
    };
    std::vector<Relation> relations;
};

class Abstraction {
public:
    Abstraction(const Task& task, Features features);

    // The abstract state of a concrete state. Afterwards `role_of` speaks of that state.
    AbstractId evaluate(const Word* state);

    // The role of an object in the state evaluated last.
    RoleId role_of(std::uint32_t object) const { return object_roles_[object]; }
    const Indices& roles() const { return object_roles_; }  // of all objects, the phantom last

    // Ids of abstract states and roles given by their features, for what was learned elsewhere.
    RoleId intern_role(const Indices& features);
    AbstractId intern(const AbstractState& state);

    AbstractState spell_out(AbstractId id) const;
    Indices role_features(RoleId role) const;
    std::uint32_t size() const { return static_cast<std::uint32_t>(states_.size()); }
    std::uint32_t role_count() const { return static_cast<std::uint32_t>(role_words_.size() / words_); }

private:
    RoleId intern_role_words(const Word* words);
    AbstractId intern_code(const Indices& code);
    void find_roles(const Word* state);
    void count_relations(const Word* state);
    void count_atom(std::uint32_t predicate, IndexSpan arguments, bool more);
    void write_code();

    // From the state evaluated last to another one; see abstraction_update.cpp.
    void index_changes();
    bool find_changes(const Word* state);
    void update(const Word* state);
    void find_moved(const Word* state);
    void find_affected();
    void move_objects();

    const Task& task_;
    Features features_;
    std::uint32_t words_;              // of a role's set of features
    std::vector<Word> static_roles_;   // of each object: its static features
    std::vector<Word> relation_mask_;  // the fluent atoms of arity two and more
    Indices static_relations_;         // the static atoms of arity two and more

    std::vector<Word> role_words_;  // of each role
    Indices role_slots_;            // hash table of roles
    Ranges states_;                 // the code of each abstract state
    Indices state_slots_;           // hash table of abstract states

    // The state evaluated last.
    std::vector<Word> object_words_;
    Indices object_roles_;
    Indices role_sizes_;  // number of objects of each role
    Indices used_roles_;
    struct Count {
        std::uint32_t predicate;
        std::uint32_t arity;
        std::uint32_t roles_begin;  // in `relation_roles_`
        std::uint64_t count;
    };
    std::vector<Count> counts_;
    Indices relation_roles_;
    Indices count_slots_;  // hash table of `counts_`
    Indices used_slots_;
    Indices code_;
    Indices order_;
    std::uint32_t empty_counts_ = 0;  // of those in `counts_`
    std::vector<Word> last_;          // empty if there is none
    AbstractId last_id_ = no_id;

    // What a change of an atom may change.
    struct Gift {
        std::uint32_t object;
        std::uint32_t feature;
        std::uint32_t source;  // the number of its source if it has one only, as a literal; else see `sources_`
        bool is_single;
    };
    std::vector<Gift> gifts_;
    Indices gifts_begin_;  // of each atom
    Ranges sources_;       // of each feature of an object with several sources: literals that give it
    Ranges relations_of_;  // of each object: fluent atoms of arity two and more
    Ranges static_relations_of_;

    // Scratch of an update.
    Indices changed_;                   // atoms
    Indices touched_;                   // objects, perhaps several times
    Indices moved_;                     // pairs: an object and its new role
    Indices affected_;                  // atoms, static ones after the fluent ones
    std::vector<std::uint32_t> marks_;  // of each atom, and of each static one: the last update that it was affected by
    std::uint32_t round_ = 0;
};

}  // namespace gpaplan
