// Roles: the sets of features that objects have, and which object has which role in a state.
//
// A feature of an object may be static, or given by literals: by an atom that holds, or by one that does not. It is
// counted how many give it, so that when few atoms change, as they do between a state and its successors, only what
// these give is looked at. Objects whose set of features is another one now have *moved* to another role.
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
    RoleTable(std::uint32_t feature_count)
        : feature_count_(feature_count), words_(std::max(1U, (feature_count + 63) / 64)), roles_(words_) {}

    std::uint32_t size() const { return roles_.size(); }
    std::uint32_t words() const { return words_; }  // of a set of features
    RoleId intern(const Word* features) { return roles_.intern(features); }
    // throws InternalError for an unknown feature
    RoleId intern(const Indices& features) {
        std::vector<Word> words(words_, 0);
        for (auto feature : features) {
            if (feature >= feature_count_) throw InternalError("abstraction: unknown feature");
            set_bit(words.data(), feature);
        }
        return intern(words.data());
    }

    Indices features(RoleId role) const { return bits_set(roles_[role], words_); }

private:
    std::uint32_t feature_count_;
    std::uint32_t words_;
    WordInterner roles_;
};

// An object that has another role than before.
struct Moved {
    std::uint32_t object;
    RoleId role;
};

// The roles of the objects in one state.
class ObjectRoles {
public:
    ObjectRoles(const Task& task, const Features& features)
        : object_count_(features.object_count),
          table_(features.feature_count),
          words_((features.object_count + std::size_t{1}) * table_.words(), 0),
          roles_(features.object_count + std::size_t{1}, no_id) {
        for (std::uint32_t object = 0; object <= phantom(); ++object)
            for (auto feature : features.of_object[object]) change(slot_of(object, feature), true);
        std::vector<Indices> given(task.atom_count());
        for (AtomId atom = 0; atom < task.atom_count(); ++atom)
            for (const auto [object, feature] : pairs(features.when_true[atom]))
                given[atom].push_back(2 * slot_of(object, feature));
        const auto& absent = features.when_false;
        for (std::size_t k = 0; k < absent.size(); k += 3) {
            const auto slot = slot_of(absent[k + 1], absent[k + 2]);
            given[absent[k]].push_back(2 * slot + 1);
            change(slot, true);
        }
        for (const auto& list : given) given_.add(list);
    }

    // Brings the features up to date in a state that differs in these atoms from the one before, at first one without
    // any; the objects that have another role now keep the old one, at first none, until `move`.
    const std::vector<Moved>& find_moved(const Word* state, const Indices& changed) {
        touched_.clear();
        for (auto atom : changed)
            for (auto given : given_[atom]) change(given / 2, test_bit(state, atom) == (given % 2 == 0));
        if (roles_.front() == no_id)  // the first state
            for (std::uint32_t object = 0; object <= phantom(); ++object) touched_.push_back(object);
        sort_unique(touched_);
        moved_.clear();
        for (auto object : touched_)
            if (const auto role = table_.intern(words_of(object)); role != roles_[object])
                moved_.push_back({object, role});
        return moved_;
    }

    void move() {
        for (const auto& [object, role] : moved_) {
            if (object != phantom()) {
                if (roles_[object] != no_id) --sizes_[roles_[object]];
                count(role);
            }
            roles_[object] = role;
        }
    }

    RoleId operator[](std::uint32_t object) const { return roles_[object]; }
    const Indices& of_objects() const { return roles_; }  // the phantom last
    std::uint32_t phantom() const { return object_count_; }
    std::uint32_t size(RoleId role) const { return sizes_[role]; }  // number of objects, the phantom not counted
    // the roles of objects, ascending
    const Indices& used() {
        std::erase_if(used_, [&](auto role) { return sizes_[role] == 0; });
        sort_unique(used_);
        return used_;
    }

    RoleTable& table() { return table_; }
    const RoleTable& table() const { return table_; }

private:
    std::uint32_t slot_of(std::uint32_t object, std::uint32_t feature) {
        const auto slot = slots_.intern(Indices{object, feature});
        if (slot == givers_.size()) givers_.push_back(0);
        return slot;
    }
    // Something gives a feature to an object from now on, or no longer.
    void change(std::uint32_t slot, bool gives) {
        givers_[slot] += gives ? 1 : ~std::uint32_t{0};
        if (givers_[slot] != (gives ? 1U : 0U)) return;
        const auto object = slots_[slot][0];
        (gives ? set_bit : clear_bit)(words_of(object), slots_[slot][1]);
        touched_.push_back(object);
    }
    Word* words_of(std::uint32_t object) { return words_.data() + std::size_t{object} * table_.words(); }
    void count(RoleId role) {
        if (at_grown(sizes_, role, 0U)++ == 0) used_.push_back(role);
    }

    std::uint32_t object_count_;
    RoleTable table_;
    std::vector<Word> words_;  // of each object: its features
    ListInterner slots_;       // an object and a feature that it may have
    Indices givers_;           // of each slot: how many literals give the feature, and one more if it is static
    Ranges given_;             // of each atom: slots, doubled, plus 1 if it gives them when it does not hold
    Indices roles_;            // of each object
    Indices sizes_;            // of each role
    Indices used_;             // roles with objects, and perhaps others; no order
    Indices touched_;
    std::vector<Moved> moved_;
};

}  // namespace gpaplan
