// The members of each class by what holds of them alone: their keys, and the runs of members with one key.
#pragma once

#include <numeric>
#include <ranges>

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

    void read(const Word* state) {
        std::ranges::fill(keys, 0);
        relations.clear();
        const auto& moving = symmetry->moving();
        for (std::size_t w = 0; w < moving.size(); ++w) {
            for_each_bit_of(state[w] & moving[w], w, [&](AtomId atom) {
                const auto place = symmetry->place(atom);
                if (place.word != no_id)
                    keys[place.word] |= Word{1} << place.bit;
                else
                    relations.push_back(place.bit);
            });
        }
    }

    // Makes the reading of one state that of another, by their differences. Appends the members whose keys may have
    // changed, each as often as it is mentioned; returns whether relations have.
    bool change(const Word* from, const Word* to, Indices& changed) {
        bool related = false;
        const auto& moving = symmetry->moving();
        for (std::size_t w = 0; w < moving.size(); ++w) {
            for_each_bit_of((to[w] ^ from[w]) & moving[w], w, [&](AtomId atom) {
                const auto place = symmetry->place(atom);
                if (place.word == no_id) {
                    related = true;
                    if (test_bit(to, atom)) relations.push_back(place.bit);
                    return;
                }
                keys[place.word] ^= Word{1} << place.bit;
                changed.push_back(symmetry->word_member(place.word));
            });
        }
        if (related) std::erase_if(relations, [&](auto each) { return !test_bit(to, symmetry->relation_atom(each)); });
        return related;
    }

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
inline const KeyRun* find_run(const std::vector<KeyRun>& runs, const Word* key, std::uint32_t width) {
    const auto before = [&](const KeyRun& run, const Word* other) { return key_less(run.key, other, width); };
    return std::to_address(std::lower_bound(runs.begin(), runs.end(), key, before));
}

// A state that was read, and the members of each class in an order.
class OrderedMembers {
public:
    OrderedMembers(const Symmetry& symmetry)
        : symmetry_(symmetry), reading_(symmetry), members_(symmetry.member_count()), runs_(symmetry.class_count()) {}

    // reads the state; by key
    void sort(const Word* state) {
        number(state);
        if (is_sorted_) return;
        for (std::uint32_t c = 0; c < runs_.size(); ++c) {
            const auto before = [&](auto a, auto b) {
                return key_less(reading_.key(a), reading_.key(b), symmetry_.key_width(c));
            };
            std::stable_sort(members_.begin() + symmetry_.class_begin(c), members_.begin() + symmetry_.class_end(c),
                             before);
        }
        is_sorted_ = true;
    }

    // the same; as they are numbered
    void number(const Word* state) {
        reading_.read(state);
        std::iota(members_.begin(), members_.end(), 0U);
        is_sorted_ = std::ranges::all_of(members_, [&](auto member) { return stands_in_order(member); });
    }

    // of the members in their order
    void find_runs() {
        for (std::uint32_t c = 0; c < runs_.size(); ++c) {
            auto& runs = runs_[c];
            runs.clear();
            for (auto at = symmetry_.class_begin(c); at < symmetry_.class_end(c); ++at) {
                const Word* key = reading_.key(members_[at]);
                if (runs.empty() || !key_equal(runs.back().key, key, symmetry_.key_width(c))) runs.push_back({key, at});
                runs.back().end = at + 1;
            }
        }
    }

    // Whether the keys ascend, as those of a representative must.
    bool is_sorted() const { return is_sorted_; }

    const KeyReading& reading() const { return reading_; }
    std::uint32_t operator[](std::uint32_t place) const { return members_[place]; }
    const std::vector<KeyRun>& runs(std::uint32_t c) const { return runs_[c]; }
    // Of members as they are numbered: the run of one, and where a run begins.
    std::uint32_t run_of(std::uint32_t member) const {
        const auto& runs = runs_[symmetry_.class_of(member)];
        return static_cast<std::uint32_t>(std::ranges::upper_bound(runs, member, {}, &KeyRun::end) - runs.begin());
    }
    std::uint32_t run_begin(std::uint32_t c, std::uint32_t run) const {
        return run == 0 ? symmetry_.class_begin(c) : runs_[c][run - 1].end;
    }

private:
    // Whether the key of a member is not less than that of the one before it in its class.
    bool stands_in_order(std::uint32_t member) const {
        const auto c = symmetry_.class_of(member);
        return member == symmetry_.class_begin(c) ||
               !key_less(reading_.key(member), reading_.key(member - 1), symmetry_.key_width(c));
    }

    const Symmetry& symmetry_;
    KeyReading reading_;
    Indices members_;                        // by place
    std::vector<std::vector<KeyRun>> runs_;  // of each class
    bool is_sorted_ = false;
};

// How a successor differs from the state that was read before, and the runs of its members.
class KeyChanges {
public:
    KeyChanges(const Symmetry& symmetry)
        : symmetry_(symmetry),
          reading_(symmetry),
          has_moved_(symmetry.class_count(), 0),
          runs_(symmetry.class_count()) {}

    const KeyReading& reading() const { return reading_; }  // of the successor

    // What follows is about successors of the state that `before` has read.
    void enter(const OrderedMembers& before) { reading_ = before.reading(); }

    // Reads a successor; returns whether anything differs. If so, a call of `write` must follow before the next one.
    bool read(const OrderedMembers& before, const Word* from, const Word* to) {
        reading_.relations = before.reading().relations;
        members_.clear();
        const bool related = reading_.change(from, to, members_);
        sort_unique(members_);
        classes_.clear();
        for (std::size_t begin = 0, end = 0; begin < members_.size(); begin = end) {
            const auto c = symmetry_.class_of(members_[begin]);
            while (end < members_.size() && symmetry_.class_of(members_[end]) == c) ++end;
            move_members(before, c, {members_.data() + begin, end - begin});
            has_moved_[c] = 1;
            classes_.push_back(c);
        }
        return related || !members_.empty();
    }

    // The end of the run of a member in the successor.
    std::uint32_t run_end(const OrderedMembers& before, std::uint32_t member) const {
        const auto c = symmetry_.class_of(member);
        const bool has_moved = has_moved_[c] != 0;
        const Word* key = has_moved ? reading_.key(member) : before.reading().key(member);
        return find_run(has_moved ? runs_[c] : before.runs(c), key, symmetry_.key_width(c))->end;
    }

    // Makes the slots of the successor those of its representative.
    void write(const OrderedMembers& before, Word* state) {
        const auto& entered = before.reading();
        for (auto member : members_)  // slots are mended from what they were
            flip_slots(symmetry_, state, member, reading_.key(member), entered.key(member));
        for (auto c : classes_) {
            write_class(before.runs(c), c, state);
            has_moved_[c] = 0;
        }
        for (auto member : members_) copy_key(before, member);
    }

private:
    void copy_key(const OrderedMembers& before, std::uint32_t member) {
        std::copy_n(before.reading().key(member), symmetry_.key_width(symmetry_.class_of(member)),
                    reading_.keys.data() + symmetry_.key_begin(member));
    }
    // Moves members of a class from the runs of their old keys to those of their new ones.
    void move_members(const OrderedMembers& before, std::uint32_t c, IndexSpan members) {
        const auto width = symmetry_.key_width(c);
        auto& runs = runs_[c];
        runs = before.runs(c);
        for (std::size_t i = runs.size(); i-- > 1;) runs[i].end -= runs[i - 1].end;  // for now, how many there are
        runs[0].end -= symmetry_.class_begin(c);
        for (auto member : members) --runs[before.run_of(member)].end;
        for (auto member : members) {
            const Word* key = reading_.key(member);
            const auto at = runs.begin() + (find_run(runs, key, width) - runs.data());
            if (at != runs.end() && key_equal(at->key, key, width))
                ++at->end;
            else
                runs.insert(at, {key, 1});
        }
        std::erase_if(runs, [](const KeyRun& run) { return run.end == 0; });
        runs[0].end += symmetry_.class_begin(c);
        for (std::size_t i = 1; i < runs.size(); ++i) runs[i].end += runs[i - 1].end;
    }

    // Mends the slots where the runs before are not those of now.
    void write_class(const std::vector<KeyRun>& before, std::uint32_t c, Word* state) const {
        const auto width = symmetry_.key_width(c);
        const KeyRun* old_run = before.data();
        const KeyRun* new_run = runs_[c].data();
        for (auto member = symmetry_.class_begin(c); member < symmetry_.class_end(c);) {
            const auto end = std::min(old_run->end, new_run->end);
            if (key_equal(old_run->key, new_run->key, width))
                member = end;
            else
                for (; member < end; ++member) flip_slots(symmetry_, state, member, old_run->key, new_run->key);
            if (old_run->end == end) ++old_run;
            if (new_run->end == end) ++new_run;
        }
    }

    const Symmetry& symmetry_;
    KeyReading reading_;
    Indices members_;                        // whose keys changed, ascending
    Indices classes_;                        // of these members
    std::vector<std::uint8_t> has_moved_;    // of each class: whether it is one of them
    std::vector<std::vector<KeyRun>> runs_;  // of each of them
};

}  // namespace gpaplan
