// The members that stand in relations, and where the representative of a state has them.
//
// They are coloured: by their keys first, then round by round by the colours of those they are related to, until no
// round tells more of them apart. Members of one key take their places in the order of their colours. If several still
// have one colour and are not *twins* (swapping them changes nothing), the first is singled out and the colours are
// refined again, until all have their places. If all others lead to the same state the choice made no difference, and
// the representative is exact; else the least of the states that were met is taken, and it need not be.
#pragma once

#include "symmetry/keys.hpp"

namespace gpaplan {

// The relations of a state as a graph: its vertices are the members that stand in them, ascending.
class RelationGraph {
public:
    explicit RelationGraph(const Symmetry& symmetry)
        : symmetry_(symmetry), vertex_of_(symmetry.member_count(), no_id) {}

    void build(const Indices& relations) {
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

    std::size_t size() const { return members_.size(); }
    const Indices& relations() const { return relations_; }
    std::uint32_t member(std::uint32_t vertex) const { return members_[vertex]; }
    std::uint32_t vertex_of(std::uint32_t member) const { return vertex_of_[member]; }  // no_id if it is none
    IndexSpan incident(std::uint32_t vertex) const { return incident_[vertex]; }

private:
    const Symmetry& symmetry_;
    Indices relations_;
    Indices members_;  // of each vertex
    Indices vertex_of_;
    Ranges incident_;  // of each vertex: the relations it stands in
    Indices next_;     // scratch
};

using Colours = std::vector<std::uint64_t>;  // of each vertex

// Colours of a graph that nothing but singling out vertices would refine, and which vertices are twins.
class Colouring {
public:
    Colouring(const Symmetry& symmetry, const RelationGraph& graph) : symmetry_(symmetry), graph_(graph) {}

    // Colours the graph of a state.
    void colour(const KeyReading& reading, const Word* state) {
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

    // Makes colours tell as much apart as they can; returns how many there are.
    std::uint32_t refine(Colours& colours) {
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

    // The vertices in the order of their colours.
    const Indices& sort(const Colours& colours) {
        order_.resize(colours.size());
        std::iota(order_.begin(), order_.end(), 0U);
        std::ranges::sort(order_,
                          [&](auto a, auto b) { return colours[a] != colours[b] ? colours[a] < colours[b] : a < b; });
        return order_;
    }

    const Colours& colours() const { return colours_; }
    std::uint32_t distinct() const { return distinct_; }                             // how many colours there are
    std::uint32_t first_twin(std::uint32_t vertex) const { return twins_[vertex]; }  // the first of its twins
    std::uint64_t work() const { return work_; }                                     // looks at relations so far

private:
    std::uint32_t count(const Colours& colours) {
        sorted_ = colours;
        std::ranges::sort(sorted_);
        return static_cast<std::uint32_t>(std::unique(sorted_.begin(), sorted_.end()) - sorted_.begin());
    }

    // Twins have one colour, one key, and the same relations up to the swap.
    void find_twins(const KeyReading& reading, const Word* state) {
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

    bool are_twins(const Word* state, std::uint32_t a, std::uint32_t b) const {
        const auto swapped = [&](auto member) { return member == a ? b : member == b ? a : member; };
        for (auto member : {a, b})
            for (auto relation : graph_.incident(graph_.vertex_of(member)))
                if (!test_bit(state, symmetry_.image_atom(relation, swapped))) return false;
        return true;
    }

    const Symmetry& symmetry_;
    const RelationGraph& graph_;
    Colours colours_;
    std::uint32_t distinct_ = 0;
    Indices twins_;
    std::uint64_t work_ = 0;

    Colours sums_;  // scratch
    Colours sorted_;
    Indices order_;
};

// The places of the members that stand in relations, such that the state is the least.
class PlacementSearch {
public:
    PlacementSearch(const Symmetry& symmetry, const RelationGraph& graph, Colouring& colouring)
        : symmetry_(symmetry), graph_(graph), colouring_(colouring) {}

    // Searches, given the end of each vertex's run. Returns whether all states of an orbit are given the same places.
    bool run(const Indices& run_ends) {
        run_ends_ = &run_ends;
        leaves_ = 0;
        Colours colours = colouring_.colours();
        auto distinct = colouring_.distinct();
        bool exact = follow(colours, distinct);
        const auto first = image_;
        while (choose_cell(colours, distinct)) {
            const auto cell = cell_;
            for (std::size_t i = 1; i < cell.size(); ++i) {
                if (leaves_ >= most_leaves || colouring_.work() > most_work) return false;
                Colours other = colours;
                const auto now = single_out(other, cell[i]);
                exact = follow(std::move(other), now) && exact && image_ == first;
            }
            distinct = single_out(colours, cell[0]);
        }
        return exact;
    }

    const Indices& atoms() const { return best_; }  // of the relations, placed
    std::uint32_t place(std::uint32_t vertex) const { return best_places_[vertex]; }

private:
    // Singles out one vertex after the other until all are placed; returns whether there was time for it.
    bool follow(Colours colours, std::uint32_t distinct) {
        bool is_whole = true;
        while (is_whole && choose_cell(colours, distinct)) {
            is_whole = colouring_.work() <= most_work;
            if (is_whole) distinct = single_out(colours, cell_[0]);
        }
        place_vertices(colours);
        return is_whole;
    }

    // Tells the twins of a vertex from all others; returns how many colours there are then.
    std::uint32_t single_out(Colours& colours, std::uint32_t vertex) {
        for (std::uint32_t k = 0; k < colours.size(); ++k)
            if (colouring_.first_twin(k) == vertex) colours[k] = mix(colours[k], singled_out);
        return colouring_.refine(colours);
    }

    // Finds the smallest set of vertices of one colour that are not all twins, one of each set of twins, if there is
    // any.
    bool choose_cell(const Colours& colours, std::uint32_t distinct) {
        cell_.clear();
        if (distinct == colours.size()) return false;
        const auto& order = colouring_.sort(colours);
        for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
            candidate_.clear();
            while (end < order.size() && colours[order[end]] == colours[order[begin]])
                candidate_.push_back(colouring_.first_twin(order[end++]));
            if (candidate_.size() < 2) continue;
            sort_unique(candidate_);
            if (candidate_.size() >= 2 && (cell_.empty() || candidate_.size() < cell_.size())) cell_.swap(candidate_);
        }
        return !cell_.empty();
    }

    // The relations of the representative if the vertices are placed in the order of their colours.
    void place_vertices(const Colours& colours) {
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
        image_.clear();
        const auto placed = [&](auto member) { return places_[graph_.vertex_of(member)]; };
        for (auto relation : graph_.relations()) image_.push_back(symmetry_.image_atom(relation, placed));
        std::ranges::sort(image_);
        if (leaves_++ == 0 || image_ < best_) {
            best_ = image_;
            best_places_ = places_;
        }
    }

    // Problems of 14 domains need no more than the first state
    // (docs/decisions/0047-mechanisms-that-earn-their-place.md); the others say whether it is the same for all states
    // that are equal up to symmetry.
    static constexpr std::uint32_t most_leaves = 64;     // states that are compared for one representative
    static constexpr std::uint64_t most_work = 100'000;  // looks at a relation, for one representative
    static constexpr std::uint64_t singled_out = 0x5851f42d4c957f2dU;

    const Symmetry& symmetry_;
    const RelationGraph& graph_;
    Colouring& colouring_;
    const Indices* run_ends_ = nullptr;
    std::uint32_t leaves_ = 0;
    Indices best_;         // the atoms of the least state so far
    Indices best_places_;  // of each vertex
    Indices cell_;         // the vertices to choose from
    Indices image_;        // the atoms of the last state

    Indices candidate_;  // scratch
    Indices order_;
    Indices places_;
};

}  // namespace gpaplan
