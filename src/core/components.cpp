#include "components.hpp"

#include <algorithm>

namespace gpaplan {

Components strongly_connected_components(const Ranges& graph) {
    const auto count = static_cast<std::uint32_t>(graph.size());
    Components result;
    result.of.assign(count, no_id);
    Indices number(count, no_id);  // order of discovery
    Indices low(count, 0);         // smallest number known to be reachable within the component
    Indices open;                  // discovered, component not known yet
    struct Frame {
        std::uint32_t vertex;
        std::uint32_t edge;
    };
    std::vector<Frame> path;
    std::uint32_t discovered = 0;
    const auto enter = [&](std::uint32_t vertex) {
        number[vertex] = low[vertex] = discovered++;
        open.push_back(vertex);
        path.push_back({vertex, graph.begin[vertex]});
    };
    for (std::uint32_t root = 0; root < count; ++root) {
        if (number[root] != no_id) continue;
        enter(root);
        while (!path.empty()) {
            const auto vertex = path.back().vertex;
            if (path.back().edge < graph.begin[vertex + 1]) {
                const auto next = graph.values[path.back().edge++];
                if (number[next] == no_id)
                    enter(next);
                else if (result.of[next] == no_id)
                    low[vertex] = std::min(low[vertex], number[next]);
                continue;
            }
            path.pop_back();
            if (!path.empty()) low[path.back().vertex] = std::min(low[path.back().vertex], low[vertex]);
            if (low[vertex] != number[vertex]) continue;
            const auto component = static_cast<std::uint32_t>(result.members.size());
            std::uint32_t member = no_id;
            do {
                member = open.back();
                open.pop_back();
                result.of[member] = component;
                result.members.values.push_back(member);
            } while (member != vertex);
            result.members.close();
        }
    }
    return result;
}

Ranges reversed(const Ranges& graph) {
    const auto count = static_cast<std::uint32_t>(graph.size());
    Ranges result;
    result.begin.assign(count + 1, 0);
    result.values.resize(graph.values.size());
    for (auto to : graph.values) ++result.begin[to + 1];
    for (std::uint32_t v = 0; v < count; ++v) result.begin[v + 1] += result.begin[v];
    Indices next(result.begin.begin(), result.begin.end() - 1);
    for (std::uint32_t v = 0; v < count; ++v)
        for (auto to : graph[v]) result.values[next[to]++] = v;
    return result;
}

}  // namespace gpaplan
