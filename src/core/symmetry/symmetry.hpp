// Interchangeable objects: those of a task that could swap their names without anybody noticing.
//
// Two objects are interchangeable if swapping them maps the ground task onto itself: atoms to atoms, the goal to
// itself, and every action to one with the same preconditions, effects, probabilities and costs up to the swap. Every
// permutation within the classes is then an automorphism, and states that differ by one have the same optimal value.
// The initial state need not be symmetric.
//
// Objects are first divided by their colours: which atoms mention an object, and those around it. Then swaps with one
// leader of each class are checked. Only what mentions one of the two moves, compared as sums of 64-bit hashes, so all
// checks are about linear in the task. An image that grounding has not reached tells objects apart: some reduction is
// lost, and nothing else.
//
// Example, Gripper: the balls are one class and the hands another. The rooms are not: the goal names one.
#pragma once

#include <memory>
#include <mutex>

#include "base/interner.hpp"
#include "base/stop.hpp"
#include "task/task.hpp"

namespace gpaplan {

// The classes of at least two interchangeable objects that occur in fluent atoms or actions. Classes and their objects
// are in ascending order. `kinds` has a number for each object: objects of different kinds are never interchangeable,
// nor are those of kind `no_id` (the constants of a domain). Throws Stopped.
std::vector<Indices> find_interchangeable(const Task& task, const Indices& kinds, Stop& stop);

// The classes of a task, laid out for permuting the bits of states. Never changes, and is shared by all spaces.
//
// The objects of all classes are the *members*, numbered class by class. An atom that mentions one member fills a
// *slot* of it: the same slots for each member of a class, and the bits of a member's slots are its *key*. An atom that
// mentions several members is a *relation* between them: relations that differ only by the members have one pattern,
// and a table gives the atom of a pattern for each tuple of members.
class Symmetry {
public:
    Symmetry(std::shared_ptr<const Task> task, std::uint32_t object_count, std::vector<Indices> classes);

    const std::shared_ptr<const Task>& task() const { return task_; }
    const std::vector<Indices>& classes() const { return classes_; }

    std::uint32_t object_count() const { return static_cast<std::uint32_t>(object_members_.size()); }
    std::uint32_t member_count() const { return static_cast<std::uint32_t>(member_objects_.size()); }
    std::uint32_t class_count() const { return static_cast<std::uint32_t>(classes_.size()); }
    std::uint32_t class_begin(std::uint32_t c) const { return class_begin_[c]; }
    std::uint32_t class_end(std::uint32_t c) const { return class_begin_[c + 1]; }
    std::uint32_t class_of(std::uint32_t member) const { return member_classes_[member]; }
    std::uint32_t member_of(std::uint32_t object) const { return object_members_[object]; }  // no_id if it is none
    std::uint32_t object_of(std::uint32_t member) const { return member_objects_[member]; }

    // Where the bit of an atom belongs: a bit of a word of the keys, or for word = no_id the relation with this number.
    struct Place {
        std::uint32_t word;
        std::uint32_t bit;
    };
    Place place(AtomId atom) const { return places_[atom]; }
    const std::vector<Word>& moving() const { return moving_; }  // the atoms that mention members

    // Atoms that mention one member, which is named by all actions whose preconditions ask for them; and the most
    // members of a class that an action names.
    const std::vector<Word>& asked_by_name() const { return asked_by_name_; }
    std::uint32_t most_named(std::uint32_t c) const { return most_named_[c]; }

    // Keys: those of class c have key_width(c) words each, and that of a member begins at key_begin(member).
    std::uint32_t key_width(std::uint32_t c) const { return key_widths_[c]; }
    std::uint32_t key_begin(std::uint32_t member) const { return key_begin_[member]; }
    std::uint32_t key_words() const { return static_cast<std::uint32_t>(word_members_.size()); }
    std::uint32_t word_member(std::uint32_t word) const { return word_members_[word]; }  // whose key it belongs to
    AtomId slot_atom(std::uint32_t member, std::uint32_t slot) const { return slot_atoms_[slot_begin_[member] + slot]; }

    // Relations.
    AtomId relation_atom(std::uint32_t relation) const { return relation_atoms_[relation]; }
    std::uint32_t relation_pattern(std::uint32_t relation) const { return relation_patterns_[relation]; }
    IndexSpan relation_members(std::uint32_t relation) const { return relation_members_[relation]; }
    // The atom of a pattern for the members that `image` gives for those of a relation of this pattern.
    template <typename Image>
    AtomId image_atom(std::uint32_t relation, Image image) const {
        const auto pattern = relation_patterns_[relation];
        std::size_t at = 0;
        for (auto member : relation_members_[relation]) {
            const auto c = member_classes_[member];
            at = at * classes_[c].size() + (image(member) - class_begin_[c]);
        }
        return tables_[table_begin_[pattern] + at];
    }

    // The action with this schema and arguments, one after the other; throws InternalError if there is none.
    ActionId action(IndexSpan name) const;
    // The images of an action, of an atom and of a state; `image` has an object for each object.
    ActionId map_action(ActionId action, const Indices& image) const;
    AtomId map_atom(AtomId atom, const Indices& image) const;
    std::vector<Word> map_state(const Word* state, const Indices& image) const;

private:
    void number_members();
    void place_atoms();
    void place_slots(const ListInterner& names, std::uint32_t c, const Indices& atoms);
    void place_relations(const Indices& atoms);
    void find_named_members();

    std::shared_ptr<const Task> task_;
    std::vector<Indices> classes_;
    Indices class_begin_;
    Indices member_objects_;
    Indices member_classes_;
    Indices object_members_;

    std::vector<Place> places_;
    std::vector<Word> moving_;
    std::vector<Word> asked_by_name_;
    Indices most_named_;  // of each class
    Indices key_widths_;
    Indices key_begin_;
    Indices word_members_;
    Indices slot_begin_;
    Indices slot_atoms_;

    Indices relation_atoms_;
    Indices relation_patterns_;
    Ranges relation_members_;
    std::vector<std::size_t> table_begin_;
    Indices tables_;

    mutable std::once_flag actions_once_;
    mutable ListInterner actions_;  // schema and arguments; made when it is first needed
};

}  // namespace gpaplan
