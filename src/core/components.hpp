// Strongly connected components of a directed graph.
//
// The graph is given as ranges: graph[v] are the successors of vertex v. Components come in reverse topological order:
// every edge that leaves a component leads to one with a smaller number. Tarjan's algorithm with an explicit stack, so
// the depth of the graph does not matter; linear in vertices and edges.
#pragma once

#include "task.hpp"

namespace gpaplan {

struct Components {
    Indices of;      // the component of each vertex
    Ranges members;  // the vertices of each component
};

Components strongly_connected_components(const Ranges& graph);

// The same graph with every edge turned round.
Ranges reversed(const Ranges& graph);

}  // namespace gpaplan
