#include "symmetry/relations.hpp"

#include <algorithm>
#include <numeric>

namespace gpaplan {

namespace {

// No problem of 14 domains needs more than the first state (docs/decisions/0047-mechanisms-that-earn-their-place.md).
constexpr std::uint32_t most_leaves = 64;     // states that are compared for one representative
constexpr std::uint64_t most_work = 100'000;  // looks at a relation, for one representative
constexpr std::uint64_t singled_out = 0x5851f42d4c957f2dU;

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    return hash_finish(hash_step(hash_step(0x9e3779b97f4a7c15U, a), b));
}

}  // namespace

void RelationGraph::build(const Indices& relations) {
    relations_ = relations;
    for (auto member : members_) vertex_of_[member] = no_id;
    members_.clear();
    if (relations_.empty()) return;
    for (auto relation : relations_) {
        for (auto member : symmetry_.relation_members(relation)) {
            if (vertex_of_[member] != no_id) continue;
            vertex_of_[member] = 0;
            members_.push_back(member);
        }
    }
    std::ranges::sort(members_);
    for (std::uint32_t i = 0; i < members_.size(); ++i) vertex_of_[members_[i]] = i;
    incident_.begin.assign(members_.size() + 1, 0);
    for (auto relation : relations_)
        for (auto member : symmetry_.relation_members(relation)) ++incident_.begin[vertex_of_[member] + 1];
    std::partial_sum(incident_.begin.begin(), incident_.begin.end(), incident_.begin.begin());
    incident_.values.resize(incident_.begin.back());
    next_.assign(incident_.begin.begin(), incident_.begin.end() - 1);
    for (auto relation : relations_)
        for (auto member : symmetry_.relation_members(relation))
            incident_.values[next_[vertex_of_[member]]++] = relation;
}

// --- colours ---

void Colouring::colour(const KeyReading& reading, const Word* state) {
    work_ = 0;
    colours_.resize(graph_.size());
    for (std::uint32_t vertex = 0; vertex < graph_.size(); ++vertex) {
        const auto c = symmetry_.class_of(graph_.member(vertex));
        const Word* key = reading.key(graph_.member(vertex));
        auto colour = mix(1, c);
        for (std::uint32_t w = 0; w < symmetry_.key_width(c); ++w) colour = hash_step(colour, key[w]);
        colours_[vertex] = hash_finish(colour);
    }
    distinct_ = refine(colours_);
    find_twins(reading, state);
}

std::uint32_t Colouring::count(const Colours& colours) {
    sorted_ = colours;
    std::ranges::sort(sorted_);
    return static_cast<std::uint32_t>(std::unique(sorted_.begin(), sorted_.end()) - sorted_.begin());
}

std::uint32_t Colouring::refine(Colours& colours) {
    auto known = count(colours);
    while (known < colours.size()) {
        work_ += graph_.relations().size();
        sums_.assign(colours.size(), 0);
        for (auto relation : graph_.relations()) {
            const auto members = symmetry_.relation_members(relation);
            auto whole = mix(2, symmetry_.relation_pattern(relation));
            for (auto member : members) whole = hash_step(whole, colours[graph_.vertex_of(member)]);
            for (std::size_t k = 0; k < members.size(); ++k) sums_[graph_.vertex_of(members[k])] += mix(k, whole);
        }
        for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = mix(colours[i], sums_[i]);
        const auto now = count(colours);
        if (now == known) break;
        known = now;
    }
    return known;
}

const Indices& Colouring::sort(const Colours& colours) {
    order_.resize(colours.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::sort(order_,
                      [&](auto a, auto b) { return colours[a] != colours[b] ? colours[a] < colours[b] : a < b; });
    return order_;
}

bool Colouring::are_twins(const Word* state, std::uint32_t a, std::uint32_t b) const {
    const auto swapped = [&](auto member) { return member == a ? b : member == b ? a : member; };
    for (auto member : {a, b})
        for (auto relation : graph_.incident(graph_.vertex_of(member)))
            if (!test_bit(state, symmetry_.image_atom(relation, swapped))) return false;
    return true;
}

// Twins have one colour, one key, and the same relations up to the swap.
void Colouring::find_twins(const KeyReading& reading, const Word* state) {
    twins_.resize(graph_.size());
    std::iota(twins_.begin(), twins_.end(), 0U);
    if (distinct_ == graph_.size()) return;
    const auto& order = sort(colours_);
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && colours_[order[end]] == colours_[order[begin]]) ++end;
        for (auto i = begin + 1; i < end; ++i) {
            const auto b = graph_.member(order[i]);
            for (auto k = begin; k < i; ++k) {
                const auto a = graph_.member(order[k]);
                if (twins_[order[k]] != order[k] || symmetry_.class_of(a) != symmetry_.class_of(b)) continue;
                if (!reading.have_one_key(a, b) || !are_twins(state, a, b)) continue;
                twins_[order[i]] = order[k];
                break;
            }
        }
    }
}

// --- the search ---

bool PlacementSearch::run(const Indices& run_ends) {
    run_ends_ = &run_ends;
    leaves_ = 0;
    exact_ = true;
    best_.clear();
    search(0, colouring_.colours(), colouring_.distinct(), false, image_);
    return exact_;
}

// The smallest set of vertices of one colour that are not all twins, one of each set of twins; empty if there is none.
void PlacementSearch::choose_cell(const Colours& colours, Indices& best) {
    best.clear();
    const auto& order = colouring_.sort(colours);
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        cell_.clear();
        while (end < order.size() && colours[order[end]] == colours[order[begin]])
            cell_.push_back(colouring_.first_twin(order[end++]));
        if (cell_.size() < 2) continue;
        sort_unique(cell_);
        if (cell_.size() >= 2 && (best.empty() || cell_.size() < best.size())) best.swap(cell_);
    }
}

// The relations of the representative if the vertices are placed in the order of their colours.
void PlacementSearch::place_vertices(const Colours& colours, Indices& image) {
    const auto& ends = *run_ends_;
    order_.resize(graph_.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::sort(order_, [&](auto a, auto b) {
        if (ends[a] != ends[b]) return ends[a] < ends[b];
        return colours[a] != colours[b] ? colours[a] < colours[b] : a < b;
    });
    places_.resize(graph_.size());
    for (std::size_t i = order_.size(), next = 0; i-- > 0;) {  // the last places of each key
        const bool is_last = i + 1 == order_.size() || ends[order_[i]] != ends[order_[i + 1]];
        next = is_last ? ends[order_[i]] - 1 : next - 1;
        places_[order_[i]] = static_cast<std::uint32_t>(next);
    }
    image.clear();
    const auto placed = [&](auto member) { return places_[graph_.vertex_of(member)]; };
    for (auto relation : graph_.relations()) image.push_back(symmetry_.image_atom(relation, placed));
    std::ranges::sort(image);
    if (leaves_++ == 0 || image < best_) {
        best_ = image;
        best_places_ = places_;
    }
}

// Looks for the least state; `first` becomes the first one that it came to. `leftmost` looks at that one only.
void PlacementSearch::search(std::size_t depth, const Colours& colours, std::uint32_t distinct, bool leftmost,
                             Indices& first) {
    if (depth == frames_.size()) frames_.emplace_back();
    auto& frame = frames_[depth];
    frame.cell.clear();
    if (distinct < colours.size()) choose_cell(colours, frame.cell);
    if (frame.cell.empty() || colouring_.work() > most_work) {
        exact_ = exact_ && frame.cell.empty();
        place_vertices(colours, first);
        return;
    }
    frame.seen.clear();
    for (std::size_t i = 0; i < frame.cell.size(); ++i) {
        if (i > 0 && (leaves_ >= most_leaves || colouring_.work() > most_work)) {
            exact_ = false;
            return;
        }
        frame.colours = colours;
        for (std::uint32_t k = 0; k < colours.size(); ++k)
            if (colouring_.first_twin(k) == frame.cell[i]) frame.colours[k] = mix(colours[k], singled_out);
        const auto now = colouring_.refine(frame.colours);
        search(depth + 1, frame.colours, now, leftmost || i > 0, frame.image);
        if (i == 0) first = frame.image;
        if (leftmost) return;
        if (std::ranges::find(frame.seen, frame.image) != frame.seen.end()) continue;  // as good as an earlier choice
        frame.seen.push_back(frame.image);
        if (i > 0) search(depth + 1, frame.colours, now, false, frame.image);
    }
}

}  // namespace gpaplan
