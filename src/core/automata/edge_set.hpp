// The hyperedges of an automaton by the ids of one abstraction: (abstract state, abstract action) -> abstract states.
#pragma once

#include <vector>

#include "automata/abstraction.hpp"

namespace gpaplan {

class EdgeSet {
public:
    // Adds a target to the edge of a source and an abstract action; returns whether that is new.
    bool add(AbstractId source, AbstractId action, AbstractId target);

    // The targets of an edge, ascending; null if there is no such edge.
    const Indices* find(AbstractId source, AbstractId action) const;
    bool has(AbstractId source, AbstractId action, AbstractId target) const;
    bool leaves(AbstractId source) const { return source < edges_.size() && !edges_[source].empty(); }

    std::uint32_t size() const { return size_; }

    // The same edges at a coarser level: those whose source and action are then equal are one, with the targets of all.
    EdgeSet coarsened(Abstraction& abstraction, std::uint32_t level) const;

private:
    struct Edge {
        AbstractId action;
        Indices targets;
    };
    std::vector<std::vector<Edge>> edges_;  // of each source, ascending by action
    std::uint32_t size_ = 0;
};

}  // namespace gpaplan
