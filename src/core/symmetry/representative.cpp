#include "symmetry/representative.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/hash.hpp"

namespace gpaplan {

namespace {

constexpr std::uint32_t most_leaves = 64;
constexpr std::uint64_t most_work = 100'000;
constexpr std::uint64_t singled_out = 0x5851f42d4c957f2dU;

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    return hash_finish(hash_step(hash_step(0x9e3779b97f4a7c15U, a), b));
}

// Keys are short, one word as a rule.
bool less(const Word* a, const Word* b, std::uint32_t width) {
    for (std::uint32_t w = 0; w < width; ++w)
        if (a[w] != b[w]) return a[w] < b[w];
    return false;
}

bool same(const Word* a, const Word* b, std::uint32_t width) {
    for (std::uint32_t w = 0; w < width; ++w)
        if (a[w] != b[w]) return false;
    return true;
}

}  // namespace

Canonicaliser::Canonicaliser(std::shared_ptr<const Symmetry> symmetry)
    : symmetry_(std::move(symmetry)),
      keys_(symmetry_->key_words(), 0),
      order_(symmetry_->member_count()),
      runs_(symmetry_->class_count()),
      member_runs_(symmetry_->member_count(), 0),
      is_changed_(symmetry_->member_count(), 0),
      moved_runs_(symmetry_->class_count()),
      has_moved_(symmetry_->class_count(), 0),
      related_index_(symmetry_->member_count(), no_id),
      groups_(symmetry_->member_count(), no_id),
      ranks_(symmetry_->member_count(), 0),
      group_sizes_(symmetry_->member_count(), 0) {}

// --- keys ---

void Canonicaliser::read(const Word* state) {
    std::ranges::fill(keys_, 0);
    relations_.clear();
    const auto& moving = symmetry_->moving();
    for (std::size_t w = 0; w < moving.size(); ++w) {
        for_each_bit_of(state[w] & moving[w], w, [&](AtomId atom) {
            const auto place = symmetry_->place(atom);
            if (place.word != no_id)
                keys_[place.word] |= Word{1} << place.bit;
            else
                relations_.push_back(place.bit);
        });
    }
}

bool Canonicaliser::have_one_key(std::uint32_t a, std::uint32_t b) const {
    return same(key(a), key(b), symmetry_->key_width(symmetry_->class_of(a)));
}

// Mends the slots of a member: they are those of one key and become those of another.
void Canonicaliser::flip(Word* state, std::uint32_t member, const Word* from, const Word* to) const {
    const auto width = symmetry_->key_width(symmetry_->class_of(member));
    for (std::uint32_t w = 0; w < width; ++w)
        for_each_bit_of(from[w] ^ to[w], w, [&](auto slot) { flip_bit(state, symmetry_->slot_atom(member, slot)); });
}

// --- from nothing ---

// States that are met are nearly sorted: what is out of order is taken out, sorted, and merged in again.
void Canonicaliser::sort_class(std::uint32_t c) {
    const auto width = symmetry_->key_width(c);
    const auto first = symmetry_->class_begin(c);
    const Word* keys = key(first);
    const auto before = [&](auto a, auto b) {
        return less(keys + std::size_t{width} * (a - first), keys + std::size_t{width} * (b - first), width);
    };
    kept_.clear();
    strays_.clear();
    for (auto member = first; member < symmetry_->class_end(c); ++member) {
        if (kept_.empty() || !before(member, kept_.back())) {
            kept_.push_back(member);
        } else {
            strays_.push_back(kept_.back());
            strays_.push_back(member);
            kept_.pop_back();
        }
    }
    std::ranges::sort(strays_, before);
    std::ranges::merge(kept_, strays_, order_.begin() + first, before);
}

// The runs of the members as `order_` has them.
void Canonicaliser::find_runs() {
    for (std::uint32_t c = 0; c < symmetry_->class_count(); ++c) {
        const auto width = symmetry_->key_width(c);
        auto& runs = runs_[c];
        runs.clear();
        for (auto at = symmetry_->class_begin(c); at < symmetry_->class_end(c); ++at) {
            const Word* own = key(order_[at]);
            if (runs.empty() || !same(own, runs.back().key, width)) runs.push_back({own, at});
            runs.back().end = at + 1;
            member_runs_[order_[at]] = static_cast<std::uint32_t>(runs.size() - 1);
        }
    }
}

void Canonicaliser::canonicalise(Word* state) {
    exact_ = true;
    entered_ = nullptr;
    read(state);
    for (std::uint32_t c = 0; c < symmetry_->class_count(); ++c) sort_class(c);
    relate();
    if (!relations_.empty()) {
        find_runs();
        place_relations(state);
    }
    for (std::uint32_t member = 0; member < order_.size(); ++member)
        if (order_[member] != member) flip(state, member, key(member), key(order_[member]));
}

Indices Canonicaliser::permutation() const {
    Indices image(symmetry_->object_count());
    std::iota(image.begin(), image.end(), 0U);
    for (std::uint32_t c = 0; c < symmetry_->class_count(); ++c) {
        std::uint32_t next = 0;  // of the places of one key: the members without relations come first
        for (auto at = symmetry_->class_begin(c); at < symmetry_->class_end(c); ++at) {
            const auto member = order_[at];
            if (at == symmetry_->class_begin(c) || !have_one_key(order_[at - 1], member)) next = at;
            const auto related = related_index_[member];
            const auto place = related == no_id ? next++ : best_places_[related];
            image[symmetry_->object_of(member)] = symmetry_->object_of(place);
        }
    }
    return image;
}

// --- relations ---

// Lists the members that stand in relations, and the relations of each.
void Canonicaliser::relate() {
    for (auto member : related_) related_index_[member] = no_id;
    related_.clear();
    if (relations_.empty()) return;
    for (auto relation : relations_) {
        for (auto member : symmetry_->relation_members(relation)) {
            if (related_index_[member] != no_id) continue;
            related_index_[member] = 0;
            related_.push_back(member);
        }
    }
    std::ranges::sort(related_);
    for (std::uint32_t i = 0; i < related_.size(); ++i) related_index_[related_[i]] = i;
    incident_.begin.assign(related_.size() + 1, 0);
    for (auto relation : relations_)
        for (auto member : symmetry_->relation_members(relation)) ++incident_.begin[related_index_[member] + 1];
    std::partial_sum(incident_.begin.begin(), incident_.begin.end(), incident_.begin.begin());
    incident_.values.resize(incident_.begin.back());
    by_colour_.assign(incident_.begin.begin(), incident_.begin.end() - 1);
    for (auto relation : relations_)
        for (auto member : symmetry_->relation_members(relation))
            incident_.values[by_colour_[related_index_[member]]++] = relation;
}

std::uint32_t Canonicaliser::colour() {
    work_ = 0;
    colours_.resize(related_.size());
    for (std::size_t i = 0; i < related_.size(); ++i) {
        const auto c = symmetry_->class_of(related_[i]);
        const Word* key = keys_.data() + symmetry_->key_begin(related_[i]);
        Colour colour = mix(1, c);
        for (std::uint32_t w = 0; w < symmetry_->key_width(c); ++w) colour = hash_step(colour, key[w]);
        colours_[i] = hash_finish(colour);
    }
    return refine(colours_);
}

std::uint32_t Canonicaliser::count_colours(const Colours& colours) {
    scratch_ = colours;
    std::ranges::sort(scratch_);
    return static_cast<std::uint32_t>(std::unique(scratch_.begin(), scratch_.end()) - scratch_.begin());
}

std::uint32_t Canonicaliser::refine(Colours& colours) {
    auto count = count_colours(colours);
    while (count < colours.size()) {
        work_ += relations_.size();
        sums_.assign(colours.size(), 0);
        for (auto relation : relations_) {
            const auto members = symmetry_->relation_members(relation);
            Colour whole = mix(2, symmetry_->relation_pattern(relation));
            for (auto member : members) whole = hash_step(whole, colours[related_index_[member]]);
            for (std::size_t k = 0; k < members.size(); ++k) sums_[related_index_[members[k]]] += mix(k, whole);
        }
        for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = mix(colours[i], sums_[i]);
        const auto now = count_colours(colours);
        if (now == count) break;
        count = now;
    }
    return count;
}

void Canonicaliser::sort_by_colour(const Colours& colours) {
    by_colour_.resize(colours.size());
    std::iota(by_colour_.begin(), by_colour_.end(), 0U);
    std::ranges::sort(by_colour_,
                      [&](auto a, auto b) { return colours[a] != colours[b] ? colours[a] < colours[b] : a < b; });
}

bool Canonicaliser::are_twins(const Word* state, std::uint32_t a, std::uint32_t b) const {
    const auto swapped = [&](auto member) { return member == a ? b : member == b ? a : member; };
    for (auto member : {a, b})
        for (auto relation : incident_[related_index_[member]])
            if (!test_bit(state, symmetry_->image_atom(relation, swapped))) return false;
    return true;
}

// Twins have one colour, one key, and the same relations up to the swap.
void Canonicaliser::find_twins(const Word* state, std::uint32_t distinct) {
    twins_.resize(related_.size());
    std::iota(twins_.begin(), twins_.end(), 0U);
    if (distinct == related_.size()) return;
    sort_by_colour(colours_);
    for (std::size_t begin = 0, end = 0; begin < by_colour_.size(); begin = end) {
        while (end < by_colour_.size() && colours_[by_colour_[end]] == colours_[by_colour_[begin]]) ++end;
        for (auto i = begin + 1; i < end; ++i) {
            for (auto k = begin; k < i; ++k) {
                const auto a = by_colour_[k];
                const auto b = by_colour_[i];
                if (twins_[a] != a || symmetry_->class_of(related_[a]) != symmetry_->class_of(related_[b])) continue;
                if (!have_one_key(related_[a], related_[b]) || !are_twins(state, related_[a], related_[b])) continue;
                twins_[b] = a;
                break;
            }
        }
    }
}

// Replaces the relations of a state by those of its representative.
void Canonicaliser::place_relations(Word* state) {
    const auto distinct = colour();
    find_twins(state, distinct);
    run_ends_.resize(related_.size());
    for (std::size_t i = 0; i < related_.size(); ++i) {
        const auto c = symmetry_->class_of(related_[i]);
        if (has_moved_[c] != 0) {
            run_ends_[i] = find_run(moved_runs_[c], key(related_[i]), symmetry_->key_width(c))->end;
        } else {
            run_ends_[i] = runs_[c][member_runs_[related_[i]]].end;
        }
    }
    leaves_ = 0;
    best_.clear();
    search(0, colours_, distinct, false, image_);
    for (auto relation : relations_) clear_bit(state, symmetry_->relation_atom(relation));
    for (auto atom : best_) set_bit(state, atom);
}

// The smallest set of members of one colour that are not all twins, one of each set of twins; empty if there is none.
void Canonicaliser::choose_cell(const Colours& colours, Indices& best) {
    best.clear();
    sort_by_colour(colours);
    for (std::size_t begin = 0, end = 0; begin < by_colour_.size(); begin = end) {
        cell_.clear();
        while (end < by_colour_.size() && colours[by_colour_[end]] == colours[by_colour_[begin]])
            cell_.push_back(twins_[by_colour_[end++]]);
        if (cell_.size() < 2) continue;
        sort_unique(cell_);
        if (cell_.size() >= 2 && (best.empty() || cell_.size() < best.size())) best.swap(cell_);
    }
}

// The relations of the representative if the related members are placed in the order of their colours.
void Canonicaliser::place_related(const Colours& colours, Indices& image) {
    by_colour_.resize(related_.size());
    std::iota(by_colour_.begin(), by_colour_.end(), 0U);
    std::ranges::sort(by_colour_, [&](auto a, auto b) {
        if (run_ends_[a] != run_ends_[b]) return run_ends_[a] < run_ends_[b];
        return colours[a] != colours[b] ? colours[a] < colours[b] : a < b;
    });
    places_.resize(related_.size());
    for (std::size_t i = by_colour_.size(), next = 0; i-- > 0;) {  // the last places of each key
        const bool is_last = i + 1 == by_colour_.size() || run_ends_[by_colour_[i]] != run_ends_[by_colour_[i + 1]];
        next = is_last ? run_ends_[by_colour_[i]] - 1 : next - 1;
        places_[by_colour_[i]] = static_cast<std::uint32_t>(next);
    }
    image.clear();
    const auto placed = [&](auto member) { return places_[related_index_[member]]; };
    for (auto relation : relations_) image.push_back(symmetry_->image_atom(relation, placed));
    std::ranges::sort(image);
    if (leaves_++ == 0 || image < best_) {
        best_ = image;
        best_places_ = places_;
    }
}

// Looks for the least state; `first` becomes the first one that it came to. `leftmost` looks at that one only.
void Canonicaliser::search(std::size_t depth, const Colours& colours, std::uint32_t distinct, bool leftmost,
                           Indices& first) {
    if (depth == frames_.size()) frames_.emplace_back();
    auto& frame = frames_[depth];
    frame.cell.clear();
    if (distinct < colours.size()) choose_cell(colours, frame.cell);
    if (frame.cell.empty() || work_ > most_work) {
        exact_ = exact_ && frame.cell.empty();
        place_related(colours, first);
        return;
    }
    frame.seen.clear();
    for (std::size_t i = 0; i < frame.cell.size(); ++i) {
        if (i > 0 && (leaves_ >= most_leaves || work_ > most_work)) {
            exact_ = false;
            return;
        }
        frame.colours = colours;
        for (std::size_t k = 0; k < colours.size(); ++k)
            if (twins_[k] == frame.cell[i]) frame.colours[k] = mix(colours[k], singled_out);
        const auto now = refine(frame.colours);
        search(depth + 1, frame.colours, now, leftmost || i > 0, frame.image);
        if (i == 0) first = frame.image;
        if (leftmost) return;
        if (std::ranges::find(frame.seen, frame.image) != frame.seen.end()) continue;  // as good as an earlier choice
        frame.seen.push_back(frame.image);
        if (i > 0) search(depth + 1, frame.colours, now, false, frame.image);
    }
}

// --- successors ---

void Canonicaliser::enter(const Word* state) {
    read(state);
    entered_ = state;
    entered_relations_ = relations_;
    std::iota(order_.begin(), order_.end(), 0U);
    find_runs();
    entered_keys_ = keys_;
    for (auto& runs : runs_)
        for (auto& run : runs) run.key = entered_keys_.data() + (run.key - keys_.data());
    sorted_ = true;
    for (std::uint32_t c = 0; c < runs_.size() && sorted_; ++c) {
        const auto width = symmetry_->key_width(c);
        const auto before = [&](const Run& a, const Run& b) { return less(a.key, b.key, width); };
        sorted_ = std::ranges::is_sorted(runs_[c], before);
    }
    relate();
    if (!relations_.empty()) find_twins(state, colour());
    find_groups();
}

void Canonicaliser::find_groups() {
    for (std::uint32_t c = 0; c < symmetry_->class_count(); ++c) {
        std::uint32_t last = no_id;  // of the members without relations
        for (auto member = symmetry_->class_begin(c); member < symmetry_->class_end(c); ++member) {
            if (const auto related = related_index_[member]; related != no_id) {
                const auto leader = related_[twins_[related]];  // the first of its twins
                groups_[member] = leader;
                group_sizes_[leader] = leader == member ? 1 : group_sizes_[leader] + 1;
                ranks_[member] = group_sizes_[leader] - 1;
                continue;
            }
            const bool joins = last != no_id && member_runs_[last] == member_runs_[member];
            groups_[member] = joins ? groups_[last] : member;
            ranks_[member] = joins ? ranks_[last] + 1 : 0;
            last = member;
        }
    }
}

// Makes keys and relations those of a state, and notes how they differ from those of the state entered. Returns whether
// they do.
bool Canonicaliser::read_changes(const Word* state) {
    changed_.clear();
    bool related = false;
    relations_ = entered_relations_;
    const auto& moving = symmetry_->moving();
    for (std::size_t w = 0; w < moving.size(); ++w) {
        for_each_bit_of((state[w] ^ entered_[w]) & moving[w], w, [&](AtomId atom) {
            const auto place = symmetry_->place(atom);
            if (place.word == no_id) {
                related = true;
                if (test_bit(state, atom)) relations_.push_back(place.bit);
                return;
            }
            const auto member = symmetry_->word_member(place.word);
            keys_[place.word] ^= Word{1} << place.bit;
            if (is_changed_[member] == 0) changed_.push_back(member);
            is_changed_[member] = 1;
        });
    }
    if (related) std::erase_if(relations_, [&](auto each) { return !test_bit(state, symmetry_->relation_atom(each)); });
    std::ranges::sort(changed_);
    return related || !changed_.empty();
}

const Canonicaliser::Run* Canonicaliser::find_run(const std::vector<Run>& runs, const Word* key, std::uint32_t width) {
    const auto before = [&](const Run& run, const Word* other) { return less(run.key, other, width); };
    return std::to_address(std::lower_bound(runs.begin(), runs.end(), key, before));
}

// Moves members of a class from the runs of their old keys to those of their new ones.
void Canonicaliser::move_runs(std::uint32_t c, std::span<const std::uint32_t> members) {
    const auto width = symmetry_->key_width(c);
    auto& runs = moved_runs_[c];
    runs = runs_[c];
    for (std::size_t i = runs.size(); i-- > 1;) runs[i].end -= runs[i - 1].end;  // for now, how many there are
    runs[0].end -= symmetry_->class_begin(c);
    for (auto member : members) --runs[member_runs_[member]].end;
    for (auto member : members) {
        const auto at = runs.begin() + (find_run(runs, key(member), width) - runs.data());
        if (at != runs.end() && same(at->key, key(member), width))
            ++at->end;
        else
            runs.insert(at, {key(member), 1});
    }
    std::erase_if(runs, [](const Run& run) { return run.end == 0; });
    runs[0].end += symmetry_->class_begin(c);
    for (std::size_t i = 1; i < runs.size(); ++i) runs[i].end += runs[i - 1].end;
}

// Mends the slots where the runs of the state entered are not those of the successor.
void Canonicaliser::write_runs(Word* state, std::uint32_t c) const {
    const auto width = symmetry_->key_width(c);
    const Run* old_run = runs_[c].data();
    const Run* new_run = moved_runs_[c].data();
    for (auto member = symmetry_->class_begin(c); member < symmetry_->class_end(c);) {
        const auto end = std::min(old_run->end, new_run->end);
        if (same(old_run->key, new_run->key, width))
            member = end;
        else
            for (; member < end; ++member) flip(state, member, old_run->key, new_run->key);
        if (old_run->end == end) ++old_run;
        if (new_run->end == end) ++new_run;
    }
}

void Canonicaliser::canonicalise_successor(Word* state) {
    if (entered_ == nullptr || !sorted_) {
        canonicalise(state);
        return;
    }
    exact_ = true;
    if (!read_changes(state)) return;
    moved_.clear();
    for (std::size_t begin = 0, end = 0; begin < changed_.size(); begin = end) {
        const auto c = symmetry_->class_of(changed_[begin]);
        while (end < changed_.size() && symmetry_->class_of(changed_[end]) == c) ++end;
        move_runs(c, {changed_.data() + begin, end - begin});
        has_moved_[c] = 1;
        moved_.push_back(c);
    }
    if (!relations_.empty()) {
        relate();
        place_relations(state);
    }
    for (auto member : changed_) {  // slots are mended from what they were
        flip(state, member, key(member), entered_keys_.data() + symmetry_->key_begin(member));
        is_changed_[member] = 0;
    }
    for (auto c : moved_) {
        write_runs(state, c);
        has_moved_[c] = 0;
    }
    for (auto member : changed_) {
        const auto begin = symmetry_->key_begin(member);
        std::copy_n(entered_keys_.data() + begin, symmetry_->key_width(symmetry_->class_of(member)),
                    keys_.data() + begin);
    }
}

bool Canonicaliser::is_first(ActionId action) const {
    const auto arguments = symmetry_->task()->action_arguments[action];
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto member = symmetry_->member_of(arguments[i]);
        if (member == no_id || ranks_[member] == 0) continue;
        std::uint32_t earlier = 0;  // arguments of the same group
        bool repeated = false;
        for (std::size_t k = 0; k < i; ++k) {
            const auto other = symmetry_->member_of(arguments[k]);
            if (other == no_id || groups_[other] != groups_[member]) continue;
            repeated = repeated || other == member;
            earlier += std::find(arguments.begin(), arguments.begin() + k, arguments[k]) == arguments.begin() + k;
        }
        if (!repeated && earlier != ranks_[member]) return false;
    }
    return true;
}

ActionId Canonicaliser::first_action(ActionId action) const {
    const auto& task = *symmetry_->task();
    const auto given = task.action_arguments[action];
    Indices name{task.action_schemas[action]};
    name.insert(name.end(), given.begin(), given.end());
    const std::span arguments(name.data() + 1, given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        const auto member = symmetry_->member_of(given[i]);
        if (member == no_id) continue;
        const auto same = std::find(given.begin(), given.begin() + i, given[i]);
        if (same != given.begin() + i) {
            arguments[i] = arguments[same - given.begin()];
            continue;
        }
        std::uint32_t earlier = 0;
        for (std::size_t k = 0; k < i; ++k) {
            const auto other = symmetry_->member_of(given[k]);
            const bool is_first = std::find(given.begin(), given.begin() + k, given[k]) == given.begin() + k;
            earlier += other != no_id && groups_[other] == groups_[member] && is_first;
        }
        for (auto candidate = symmetry_->class_begin(symmetry_->class_of(member));; ++candidate)
            if (groups_[candidate] == groups_[member] && ranks_[candidate] == earlier) {
                arguments[i] = symmetry_->object_of(candidate);
                break;
            }
    }
    return symmetry_->action(name);
}

}  // namespace gpaplan
