// The members that stand in relations, and where the representative of a state has them.
//
// They are coloured: by their keys first, then round by round by the colours of those they are related to, until no
// round tells more of them apart. Members of one key take their places in the order of their colours. If several still
// have one colour and are not *twins* (swapping them changes nothing), one after the other is singled out, the colours
// are refined again, and of the states that come of it the least one is taken. Choices that lead to the same state are
// taken for equivalent, and the search ends after 64 states or 100,000 looks at a relation.
#pragma once

#include <deque>

#include "symmetry/keys.hpp"

namespace gpaplan {

// The relations of a state as a graph: its vertices are the members that stand in them, ascending.
class RelationGraph {
public:
    explicit RelationGraph(const Symmetry& symmetry)
        : symmetry_(symmetry), vertex_of_(symmetry.member_count(), no_id) {}

    void build(const Indices& relations);

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
    void colour(const KeyReading& reading, const Word* state);
    // Makes colours tell as much apart as they can; returns how many there are.
    std::uint32_t refine(Colours& colours);
    // The vertices in the order of their colours.
    const Indices& sort(const Colours& colours);

    const Colours& colours() const { return colours_; }
    std::uint32_t distinct() const { return distinct_; }                             // how many colours there are
    std::uint32_t first_twin(std::uint32_t vertex) const { return twins_[vertex]; }  // the first of its twins
    std::uint64_t work() const { return work_; }                                     // looks at relations so far

private:
    std::uint32_t count(const Colours& colours);
    void find_twins(const KeyReading& reading, const Word* state);
    bool are_twins(const Word* state, std::uint32_t a, std::uint32_t b) const;

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

    // Searches, given the end of each vertex's run. Returns whether it looked at everything it had to.
    bool run(const Indices& run_ends);

    const Indices& atoms() const { return best_; }  // of the relations, placed
    std::uint32_t place(std::uint32_t vertex) const { return best_places_[vertex]; }

private:
    struct Frame {  // the choices at one depth
        Indices cell;
        Colours colours;
        Indices image;
        std::vector<Indices> seen;
    };

    void search(std::size_t depth, const Colours& colours, std::uint32_t distinct, bool leftmost, Indices& first);
    void choose_cell(const Colours& colours, Indices& best);
    void place_vertices(const Colours& colours, Indices& image);

    const Symmetry& symmetry_;
    const RelationGraph& graph_;
    Colouring& colouring_;
    const Indices* run_ends_ = nullptr;
    std::deque<Frame> frames_;
    std::uint32_t leaves_ = 0;
    bool exact_ = true;
    Indices best_;         // the atoms of the least state so far
    Indices best_places_;  // of each vertex

    Indices order_;  // scratch
    Indices places_;
    Indices cell_;
    Indices image_;
};

}  // namespace gpaplan
