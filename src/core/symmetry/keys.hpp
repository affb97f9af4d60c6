// The members of each class by what holds of them alone: their keys, and the runs of members with one key.
#pragma once

#include "symmetry/symmetry.hpp"

namespace gpaplan {

// Keys are short, one word as a rule.
inline bool key_less(const Word* a, const Word* b, std::uint32_t width) {
    for (std::uint32_t w = 0; w < width; ++w)
        if (a[w] != b[w]) return a[w] < b[w];
    return false;
}

inline bool key_equal(const Word* a, const Word* b, std::uint32_t width) {
    for (std::uint32_t w = 0; w < width; ++w)
        if (a[w] != b[w]) return false;
    return true;
}

// Mends the slots of a member: they are those of one key and become those of another.
inline void flip_slots(const Symmetry& symmetry, Word* state, std::uint32_t member, const Word* from, const Word* to) {
    const auto width = symmetry.key_width(symmetry.class_of(member));
    for (std::uint32_t w = 0; w < width; ++w)
        for_each_bit_of(from[w] ^ to[w], w, [&](auto slot) { flip_bit(state, symmetry.slot_atom(member, slot)); });
}

// What a state says of the members: the key of each, and the relations that hold.
struct KeyReading {
    explicit KeyReading(const Symmetry& symmetry) : symmetry(&symmetry), keys(symmetry.key_words(), 0) {}

    void read(const Word* state);
    // Makes the reading of one state that of another, by their differences. Appends the members whose keys may have
    // changed, each as often as it is mentioned; returns whether relations have.
    bool change(const Word* from, const Word* to, Indices& changed);
    const Word* key(std::uint32_t member) const { return keys.data() + symmetry->key_begin(member); }
    bool have_one_key(std::uint32_t a, std::uint32_t b) const {  // of two members of one class
        return key_equal(key(a), key(b), symmetry->key_width(symmetry->class_of(a)));
    }

    const Symmetry* symmetry;
    std::vector<Word> keys;
    Indices relations;
};

struct KeyRun {  // of members of one class with the same key; it begins where the one before ends
    const Word* key;
    std::uint32_t end;  // of their places in the representative
};

// The run of a key, or the one before which it belongs.
const KeyRun* find_run(const std::vector<KeyRun>& runs, const Word* key, std::uint32_t width);

// A state that was read, and the members of each class in an order.
//
// One state after the other is mostly much like it: what `number` has read before is mended where the two differ, and
// the ends of runs are found by steps that double. That costs what differs and the number of runs, not that of members.
class OrderedMembers {
public:
    explicit OrderedMembers(const Symmetry& symmetry);

    void sort(const Word* state);    // reads the state; by key
    void number(const Word* state);  // the same; as they are numbered, with their runs
    void find_runs();                // of the members in their order
    // Whether the keys ascend, as those of a representative must.
    bool is_sorted() const { return is_sorted_; }
    // Whether all keys but those of the members in `changed` are as they were when `number` was last called.
    bool is_mended() const { return is_mended_; }
    const Indices& changed() const { return changed_; }

    const KeyReading& reading() const { return reading_; }
    std::uint32_t operator[](std::uint32_t place) const { return members_[place]; }
    const std::vector<KeyRun>& runs(std::uint32_t c) const { return runs_[c]; }
    // Of members as they are numbered: the run of one, and where a run begins.
    std::uint32_t run_of(std::uint32_t member) const;
    std::uint32_t run_begin(std::uint32_t c, std::uint32_t run) const {
        return run == 0 ? symmetry_.class_begin(c) : runs_[c][run - 1].end;
    }

private:
    void sort_class(std::uint32_t c);
    std::uint32_t end_of_run(std::uint32_t c, std::uint32_t begin) const;
    bool mend(const Word* state);
    bool stands_in_order(std::uint32_t member) const;

    const Symmetry& symmetry_;
    KeyReading reading_;
    Indices members_;                        // by place
    std::vector<std::vector<KeyRun>> runs_;  // of each class
    std::vector<Word> numbered_;             // the state that was numbered last; empty if another was sorted since
    Indices changed_;
    bool is_sorted_ = false;
    bool is_mended_ = false;
    Indices kept_;  // scratch of sorting
    Indices strays_;
};

// How a successor differs from the state that was read before, and the runs of its members.
class KeyChanges {
public:
    explicit KeyChanges(const Symmetry& symmetry);

    const KeyReading& reading() const { return reading_; }  // of the successor

    // What follows is about successors of the state that `before` has read.
    void enter(const OrderedMembers& before);
    // Reads a successor; returns whether anything differs. If so, a call of `write` must follow before the next one.
    bool read(const OrderedMembers& before, const Word* from, const Word* to);
    // The end of the run of a member in the successor.
    std::uint32_t run_end(const OrderedMembers& before, std::uint32_t member) const;
    // Makes the slots of the successor those of its representative.
    void write(const OrderedMembers& before, Word* state);

private:
    void copy_key(const OrderedMembers& before, std::uint32_t member);
    void move_members(const OrderedMembers& before, std::uint32_t c, IndexSpan members);
    void write_class(const std::vector<KeyRun>& before, std::uint32_t c, Word* state) const;

    const Symmetry& symmetry_;
    KeyReading reading_;
    Indices members_;                        // whose keys changed, ascending
    Indices classes_;                        // of these members
    std::vector<std::uint8_t> has_moved_;    // of each class: whether it is one of them
    std::vector<std::vector<KeyRun>> runs_;  // of each of them
};

}  // namespace gpaplan
