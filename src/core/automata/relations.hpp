// Relations between roles: for how many tuples of objects with given roles a predicate of two and more arguments holds.
//
// A relation, that is a predicate with the roles of its arguments, has an id that it keeps for good, whatever state it
// was first met in. What holds in one state is a count for each relation; only those that are counted are looked at.
#pragma once

#include "automata/roles.hpp"
#include "base/marks.hpp"

namespace gpaplan {

class Relations {
public:
    // `ignored` are predicates that are left out.
    Relations(const Task& task, std::uint32_t object_count, const Indices& ignored)
        : task_(task), phantom_(object_count), fluent_(task.word_count(), 0) {
        std::vector<Indices> fluent(object_count), fixed(object_count);
        const auto enter = [&](std::vector<Indices>& lists, std::uint32_t predicate, IndexSpan arguments, AtomId atom) {
            if (arguments.size() < 2 || std::ranges::find(ignored, predicate) != ignored.end()) return false;
            for (auto object : arguments)
                if (lists[object].empty() || lists[object].back() != atom) lists[object].push_back(atom);
            return true;
        };
        for (AtomId atom = 0; atom < task.atom_count(); ++atom)
            if (enter(fluent, task.atom_predicates[atom], task.atom_arguments[atom], atom))
                set_bit(fluent_.data(), atom);
        for (std::uint32_t atom = 0; atom < task.static_predicates.size(); ++atom)
            if (enter(fixed, task.static_predicates[atom], task.static_arguments[atom], task.atom_count() + atom))
                fixed_.push_back(atom);
        for (std::uint32_t object = 0; object < object_count; ++object) {
            fluent_of_.add(fluent[object]);
            fixed_of_.add(fixed[object]);
        }
    }

    // Counts all relations of a state anew.
    void count(const Word* state, const ObjectRoles& roles) {
        for (auto relation : counted_) counts_[relation] = is_counted_[relation] = 0;
        counted_.clear();
        for (auto atom : fixed_) count_atom(task_.static_predicates[atom], task_.static_arguments[atom], roles, true);
        for (std::uint32_t w = 0; w < task_.word_count(); ++w) {
            for_each_bit_of(state[w] & fluent_[w], w, [&](AtomId atom) {
                count_atom(task_.atom_predicates[atom], task_.atom_arguments[atom], roles, true);
            });
        }
    }

    // Brings the counts up to date after atoms have changed and objects have moved, in two steps: what is affected
    // leaves under the old roles (`before`), and after the objects were moved it enters under the new ones. Returns
    // false, and does nothing, if counting anew is less work.
    bool leave(const Word* before, const ObjectRoles& roles, const Indices& changed, const std::vector<Moved>& moved) {
        std::size_t work = changed.size();
        for (const auto& [object, role] : moved)
            if (object != phantom_) work += fluent_of_[object].size() + fixed_of_[object].size();
        if (2 * work > fluent_of_.values.size() / 2 + fixed_.size()) return false;

        affected_.clear();
        marks_.clear();
        const auto affect = [&](std::uint32_t atom) {
            if (marks_.insert(atom, task_.atom_count() + task_.static_predicates.size())) affected_.push_back(atom);
        };
        for (auto atom : changed)
            if (test_bit(fluent_.data(), atom)) affect(atom);
        for (const auto& [object, role] : moved) {
            if (object == phantom_) continue;
            for (auto atom : fluent_of_[object]) affect(atom);
            for (auto atom : fixed_of_[object]) affect(atom);
        }
        count_affected(before, roles, false);
        return true;
    }
    void enter(const Word* state, const ObjectRoles& roles) { count_affected(state, roles, true); }

    // The relations that hold for some tuple, ascending by id, and for how many.
    const Indices& counted() {
        std::erase_if(counted_, [&](auto relation) {
            if (counts_[relation] > 0) return false;
            is_counted_[relation] = 0;
            return true;
        });
        std::ranges::sort(counted_);
        return counted_;
    }

    std::uint64_t count_of(std::uint32_t relation) const { return counts_[relation]; }

    // The id of a predicate (first) with roles, and back.
    std::uint32_t size() const { return names_.size(); }
    std::uint32_t intern(IndexSpan predicate_and_roles) {
        const auto id = names_.intern(predicate_and_roles);
        if (id == counts_.size()) {
            counts_.push_back(0);
            is_counted_.push_back(0);
        }
        return id;
    }

    IndexSpan operator[](std::uint32_t relation) const { return names_[relation]; }

private:
    // Counts an atom for the roles of its arguments, once more or once less.
    void count_atom(std::uint32_t predicate, IndexSpan arguments, const ObjectRoles& roles, bool more) {
        key_.assign(1, predicate);
        for (auto object : arguments) key_.push_back(roles[object]);
        const auto relation = intern(key_);
        if (is_counted_[relation] == 0) {
            is_counted_[relation] = 1;
            counted_.push_back(relation);
        }
        counts_[relation] += more ? 1 : ~std::uint64_t{0};
    }

    void count_affected(const Word* state, const ObjectRoles& roles, bool more) {
        const auto fluent = task_.atom_count();
        for (auto atom : affected_) {
            if (atom >= fluent)
                count_atom(task_.static_predicates[atom - fluent], task_.static_arguments[atom - fluent], roles, more);
            else if (test_bit(state, atom))
                count_atom(task_.atom_predicates[atom], task_.atom_arguments[atom], roles, more);
        }
    }

    const Task& task_;
    std::uint32_t phantom_;
    std::vector<Word> fluent_;  // the fluent atoms that count
    Indices fixed_;             // the static atoms that count
    Ranges fluent_of_;          // of each object: fluent atoms
    Ranges fixed_of_;           // of each object: static atoms, numbered after the fluent ones
    ListInterner names_;

    std::vector<std::uint64_t> counts_;  // of each relation
    Indices counted_;                    // relations with a count, and perhaps others; each once
    std::vector<std::uint8_t> is_counted_;

    Indices key_;
    Indices affected_;  // atoms, static ones after the fluent ones
    Marks marks_;       // those that are affected
};

}  // namespace gpaplan
