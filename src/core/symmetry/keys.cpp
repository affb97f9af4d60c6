#include "symmetry/keys.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>

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

bool KeyReading::change(const Word* from, const Word* to, Indices& changed) {
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

const KeyRun* find_run(const std::vector<KeyRun>& runs, const Word* key, std::uint32_t width) {
    const auto before = [&](const KeyRun& run, const Word* other) { return key_less(run.key, other, width); };
    return std::to_address(std::lower_bound(runs.begin(), runs.end(), key, before));
}

// --- the order ---

OrderedMembers::OrderedMembers(const Symmetry& symmetry)
    : symmetry_(symmetry), reading_(symmetry), members_(symmetry.member_count()), runs_(symmetry.class_count()) {}

void OrderedMembers::sort(const Word* state) {
    numbered_.clear();
    reading_.read(state);
    for (std::uint32_t c = 0; c < runs_.size(); ++c) sort_class(c);
    is_sorted_ = true;
}

void OrderedMembers::number(const Word* state) {
    is_mended_ = mend(state);
    if (!is_mended_) {
        reading_.read(state);
        std::iota(members_.begin(), members_.end(), 0U);
        is_sorted_ = std::ranges::all_of(members_, [&](auto member) { return stands_in_order(member); });
    }
    numbered_.assign(state, state + symmetry_.moving().size());
    find_runs();
}

// Makes the reading that of another state, if there is one, and its keys are sorted: only then is it seen where they
// change whether they still are.
bool OrderedMembers::mend(const Word* state) {
    if (numbered_.empty() || !is_sorted_) return false;
    changed_.clear();
    if (reading_.change(numbered_.data(), state, changed_)) std::ranges::sort(reading_.relations);
    sort_unique(changed_);
    is_sorted_ = std::ranges::all_of(changed_, [&](auto member) {
        return stands_in_order(member) && (member + 1 == symmetry_.member_count() || stands_in_order(member + 1));
    });
    return true;
}

// Whether the key of a member is not less than that of the one before it in its class.
bool OrderedMembers::stands_in_order(std::uint32_t member) const {
    const auto c = symmetry_.class_of(member);
    return member == symmetry_.class_begin(c) ||
           !key_less(reading_.key(member), reading_.key(member - 1), symmetry_.key_width(c));
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
        auto& runs = runs_[c];
        runs.clear();
        for (auto begin = symmetry_.class_begin(c); begin < symmetry_.class_end(c); begin = runs.back().end)
            runs.push_back({reading_.key(members_[begin]), end_of_run(c, begin)});
    }
}

// If keys are sorted, by steps that double as long as they lead to the same key; the end is in the last of them.
std::uint32_t OrderedMembers::end_of_run(std::uint32_t c, std::uint32_t begin) const {
    const auto belongs = [&](auto place) { return reading_.have_one_key(members_[begin], members_[place]); };
    const auto last = symmetry_.class_end(c);
    auto step = 1U;
    auto place = begin;
    while (step < last - place && belongs(place + step)) {
        place += step;
        if (is_sorted_) step *= 2;
    }
    return *std::ranges::partition_point(std::views::iota(place + 1, std::min(place + step, last)), belongs);
}

std::uint32_t OrderedMembers::run_of(std::uint32_t member) const {
    const auto& runs = runs_[symmetry_.class_of(member)];
    return static_cast<std::uint32_t>(std::ranges::upper_bound(runs, member, {}, &KeyRun::end) - runs.begin());
}

// --- changes ---

KeyChanges::KeyChanges(const Symmetry& symmetry)
    : symmetry_(symmetry), reading_(symmetry), has_moved_(symmetry.class_count(), 0), runs_(symmetry.class_count()) {}

void KeyChanges::enter(const OrderedMembers& before) {
    if (!before.is_mended()) {
        reading_ = before.reading();
        return;
    }
    for (auto member : before.changed()) copy_key(before, member);
}

void KeyChanges::copy_key(const OrderedMembers& before, std::uint32_t member) {
    std::copy_n(before.reading().key(member), symmetry_.key_width(symmetry_.class_of(member)),
                reading_.keys.data() + symmetry_.key_begin(member));
}

bool KeyChanges::read(const OrderedMembers& before, const Word* from, const Word* to) {
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
    const bool has_moved = has_moved_[c] != 0;
    const Word* key = has_moved ? reading_.key(member) : before.reading().key(member);
    return find_run(has_moved ? runs_[c] : before.runs(c), key, symmetry_.key_width(c))->end;
}

void KeyChanges::write(const OrderedMembers& before, Word* state) {
    const auto& entered = before.reading();
    for (auto member : members_)  // slots are mended from what they were
        flip_slots(symmetry_, state, member, reading_.key(member), entered.key(member));
    for (auto c : classes_) {
        write_class(before.runs(c), c, state);
        has_moved_[c] = 0;
    }
    for (auto member : members_) copy_key(before, member);
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
