#include "symmetry/keys.hpp"

#include <algorithm>
#include <numeric>

namespace gpaplan {

void KeyReading::read(const Word* state) {
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

const KeyRun* find_run(const std::vector<KeyRun>& runs, const Word* key, std::uint32_t width) {
    const auto before = [&](const KeyRun& run, const Word* other) { return key_less(run.key, other, width); };
    return std::to_address(std::lower_bound(runs.begin(), runs.end(), key, before));
}

// --- the order ---

OrderedMembers::OrderedMembers(const Symmetry& symmetry)
    : symmetry_(symmetry),
      reading_(symmetry),
      members_(symmetry.member_count()),
      runs_(symmetry.class_count()),
      member_runs_(symmetry.member_count(), 0) {}

void OrderedMembers::sort(const Word* state) {
    reading_.read(state);
    for (std::uint32_t c = 0; c < runs_.size(); ++c) sort_class(c);
}

void OrderedMembers::number(const Word* state) {
    reading_.read(state);
    std::iota(members_.begin(), members_.end(), 0U);
    find_runs();
}

// States that are met are nearly sorted: what is out of order is taken out, sorted, and merged in again.
void OrderedMembers::sort_class(std::uint32_t c) {
    const auto width = symmetry_.key_width(c);
    const auto first = symmetry_.class_begin(c);
    const Word* keys = reading_.key(first);
    const auto before = [&](auto a, auto b) {
        return key_less(keys + std::size_t{width} * (a - first), keys + std::size_t{width} * (b - first), width);
    };
    kept_.clear();
    strays_.clear();
    for (auto member = first; member < symmetry_.class_end(c); ++member) {
        if (kept_.empty() || !before(member, kept_.back())) {
            kept_.push_back(member);
        } else {
            strays_.push_back(kept_.back());
            strays_.push_back(member);
            kept_.pop_back();
        }
    }
    std::ranges::sort(strays_, before);
    std::ranges::merge(kept_, strays_, members_.begin() + first, before);
}

void OrderedMembers::find_runs() {
    for (std::uint32_t c = 0; c < runs_.size(); ++c) {
        const auto width = symmetry_.key_width(c);
        auto& runs = runs_[c];
        runs.clear();
        for (auto at = symmetry_.class_begin(c); at < symmetry_.class_end(c); ++at) {
            const Word* own = reading_.key(members_[at]);
            if (runs.empty() || !key_equal(own, runs.back().key, width)) runs.push_back({own, at});
            runs.back().end = at + 1;
            member_runs_[members_[at]] = static_cast<std::uint32_t>(runs.size() - 1);
        }
    }
}

bool OrderedMembers::has_sorted_runs() const {
    for (std::uint32_t c = 0; c < runs_.size(); ++c) {
        const auto width = symmetry_.key_width(c);
        const auto before = [&](const KeyRun& a, const KeyRun& b) { return key_less(a.key, b.key, width); };
        if (!std::ranges::is_sorted(runs_[c], before)) return false;
    }
    return true;
}

// --- changes ---

KeyChanges::KeyChanges(const Symmetry& symmetry)
    : symmetry_(symmetry),
      reading_(symmetry),
      is_changed_(symmetry.member_count(), 0),
      has_moved_(symmetry.class_count(), 0),
      runs_(symmetry.class_count()) {}

bool KeyChanges::read(const OrderedMembers& before, const Word* from, const Word* to) {
    auto& relations = reading_.relations;
    relations = before.reading().relations;
    members_.clear();
    bool related = false;
    const auto& moving = symmetry_.moving();
    for (std::size_t w = 0; w < moving.size(); ++w) {
        for_each_bit_of((to[w] ^ from[w]) & moving[w], w, [&](AtomId atom) {
            const auto place = symmetry_.place(atom);
            if (place.word == no_id) {
                related = true;
                if (test_bit(to, atom)) relations.push_back(place.bit);
                return;
            }
            const auto member = symmetry_.word_member(place.word);
            reading_.keys[place.word] ^= Word{1} << place.bit;
            if (is_changed_[member] == 0) members_.push_back(member);
            is_changed_[member] = 1;
        });
    }
    if (related) std::erase_if(relations, [&](auto each) { return !test_bit(to, symmetry_.relation_atom(each)); });
    std::ranges::sort(members_);
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

// Moves members of a class from the runs of their old keys to those of their new ones.
void KeyChanges::move_members(const OrderedMembers& before, std::uint32_t c, IndexSpan members) {
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

std::uint32_t KeyChanges::run_end(const OrderedMembers& before, std::uint32_t member) const {
    const auto c = symmetry_.class_of(member);
    if (has_moved_[c] == 0) return before.runs(c)[before.run_of(member)].end;
    return find_run(runs_[c], reading_.key(member), symmetry_.key_width(c))->end;
}

void KeyChanges::write(const OrderedMembers& before, Word* state) {
    const auto& entered = before.reading();
    for (auto member : members_) {  // slots are mended from what they were
        flip_slots(symmetry_, state, member, reading_.key(member), entered.key(member));
        is_changed_[member] = 0;
    }
    for (auto c : classes_) {
        write_class(before.runs(c), c, state);
        has_moved_[c] = 0;
    }
    for (auto member : members_)
        std::copy_n(entered.key(member), symmetry_.key_width(symmetry_.class_of(member)),
                    reading_.keys.data() + symmetry_.key_begin(member));
}

// Mends the slots where the runs before are not those of now.
void KeyChanges::write_class(const std::vector<KeyRun>& before, std::uint32_t c, Word* state) const {
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

}  // namespace gpaplan
