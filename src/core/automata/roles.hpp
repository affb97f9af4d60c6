// Roles: the sets of features that objects have, and which object has which role in a state.
//
// A feature of an object may be static, or given by literals: by an atom that holds, or by one that does not. When few
// atoms change, as they do between a state and its successors, only the features that these atoms give are looked at
// again, and the objects whose set of features is another one now have *moved* to another role.
#pragma once

#include "base/interner.hpp"
#include "task/task.hpp"

namespace gpaplan {

using RoleId = std::uint32_t;

// What the front end knows of features. Objects are numbered as in the task; object `object_count` is the phantom, to
// which predicates without arguments belong.
struct Features {
    std::uint32_t object_count = 0;
    std::uint32_t feature_count = 0;
    Ranges of_object;    // the static features of each object, the phantom last
    Ranges when_true;    // of each fluent atom: pairs (object, feature) that it gives when it holds
    Indices when_false;  // triples (atom, object, feature): given when the atom does not hold
};

// Roles by id; equal sets of features have equal ids.
class RoleTable {
public:
    explicit RoleTable(std::uint32_t feature_count);

    std::uint32_t size() const { return roles_.size(); }
    std::uint32_t words() const { return words_; }  // of a set of features
    RoleId intern(const Word* features) { return roles_.intern(features); }
    RoleId intern(const Indices& features);  // throws InternalError for an unknown feature
    Indices features(RoleId role) const { return bits_set(roles_[role], words_); }

private:
    std::uint32_t feature_count_;
    std::uint32_t words_;
    WordInterner roles_;
};

// A feature of an object that an atom may give.
struct Gift {
    std::uint32_t object;
    std::uint32_t feature;
    std::uint32_t source;  // the literal that gives it if that is the only one, else an index into `sources`
    bool is_single;
};

// Which features change with which atoms; fixed for a task.
struct GiftIndex {
    GiftIndex(const Task& task, const Features& features, const std::vector<Word>& static_words, std::uint32_t words);

    std::span<const Gift> of(AtomId atom) const { return {gifts.data() + begin[atom], gifts.data() + begin[atom + 1]}; }

    std::vector<Gift> gifts;
    Indices begin;   // of each atom
    Ranges sources;  // of each feature of an object with several sources: the literals that give it
};

// An object that has another role than before.
struct Moved {
    std::uint32_t object;
    RoleId role;
};

// The roles of the objects in one state.
class ObjectRoles {
public:
    ObjectRoles(const Task& task, const Features& features);

    // Finds the roles of all objects in a state.
    void find(const Word* state);
    // Brings the features up to date in a state that differs in these atoms from the one before; the objects that have
    // another role now keep the old one until `move`.
    const std::vector<Moved>& find_moved(const Word* state, const Indices& changed);
    void move();

    RoleId operator[](std::uint32_t object) const { return roles_[object]; }
    const Indices& of_objects() const { return roles_; }  // the phantom last
    std::uint32_t phantom() const { return object_count_; }
    std::uint32_t size(RoleId role) const { return sizes_[role]; }  // number of objects, the phantom not counted
    const Indices& used();                                          // the roles of objects, ascending

    RoleTable& table() { return table_; }
    const RoleTable& table() const { return table_; }

private:
    Word* words_of(std::uint32_t object) { return words_.data() + std::size_t{object} * table_.words(); }
    void count(RoleId role);

    const Task& task_;
    std::uint32_t object_count_;
    RoleTable table_;
    std::vector<Word> static_words_;  // of each object: its static features
    GiftIndex gifts_;
    Indices given_when_false_;  // as in `Features`
    Ranges given_when_true_;

    std::vector<Word> words_;  // of each object: its features
    Indices roles_;            // of each object
    Indices sizes_;            // of each role
    Indices used_;             // roles with objects, and perhaps others; no order
    Indices touched_;
    std::vector<Moved> moved_;
};

}  // namespace gpaplan
