#include "automata/edge_set.hpp"

namespace gpaplan {

bool EdgeSet::add(AbstractId source, AbstractId action, AbstractId target) {
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

const Indices* EdgeSet::find(AbstractId source, AbstractId action) const {
    if (source >= edges_.size()) return nullptr;
    const auto& edges = edges_[source];
    const auto edge = std::ranges::lower_bound(edges, action, {}, &Edge::action);
    return edge == edges.end() || edge->action != action ? nullptr : &edge->targets;
}

bool EdgeSet::has(AbstractId source, AbstractId action, AbstractId target) const {
    const auto* targets = find(source, action);
    return targets != nullptr && std::ranges::binary_search(*targets, target);
}

EdgeSet EdgeSet::coarsened(Abstraction& abstraction, std::uint32_t level) const {
    EdgeSet result;
    for (AbstractId source = 0; source < edges_.size(); ++source) {
        if (edges_[source].empty()) continue;
        const auto coarse = abstraction.coarsened(source, level);
        for (const auto& edge : edges_[source])
            for (auto target : edge.targets) result.add(coarse, edge.action, abstraction.coarsened(target, level));
    }
    return result;
}

}  // namespace gpaplan
