// The hyperedges of an automaton by the ids of one abstraction: (abstract state, abstract action) -> abstract states.
#pragma once

#include "automata/abstraction.hpp"

namespace gpaplan {

class EdgeSet {
public:
    // Adds a target to the edge of a source and an abstract action; returns whether that is new.
    bool add(AbstractId source, AbstractId action, AbstractId target) {
        if (source >= edges_.size()) edges_.resize(source + std::size_t{1});
        auto& edges = edges_[source];
        auto edge = std::ranges::lower_bound(edges, action, {}, &Edge::action);
        if (edge == edges.end() || edge->action != action) {
            edge = edges.insert(edge, {action, {}});
            ++size_;
        }
        const auto place = std::ranges::lower_bound(edge->targets, target);
        if (place != edge->targets.end() && *place == target) return false;
        edge->targets.insert(place, target);
        return true;
    }

    // The targets of an edge, ascending; null if there is no such edge.
    const Indices* find(AbstractId source, AbstractId action) const {
        if (source >= edges_.size()) return nullptr;
        const auto& edges = edges_[source];
        const auto edge = std::ranges::lower_bound(edges, action, {}, &Edge::action);
        return edge == edges.end() || edge->action != action ? nullptr : &edge->targets;
    }

    bool has(AbstractId source, AbstractId action, AbstractId target) const {
        const auto* targets = find(source, action);
        return targets != nullptr && std::ranges::binary_search(*targets, target);
    }
    bool leaves(AbstractId source) const { return source < edges_.size() && !edges_[source].empty(); }

    std::uint32_t size() const { return size_; }

    // The same edges at a coarser level: those whose source and action are then equal are one, with the targets of all.
    EdgeSet coarsened(Abstraction& abstraction, std::uint32_t level) const {
        EdgeSet result;
        for (AbstractId source = 0; source < edges_.size(); ++source) {
            if (edges_[source].empty()) continue;
            const auto coarse = abstraction.coarsened(source, level);
            for (const auto& edge : edges_[source])
                for (auto target : edge.targets) result.add(coarse, edge.action, abstraction.coarsened(target, level));
        }
        return result;
    }

private:
    struct Edge {
        AbstractId action;
        Indices targets;
    };
    std::vector<std::vector<Edge>> edges_;  // of each source, ascending by action
    std::uint32_t size_ = 0;
};

}  // namespace gpaplan
