// Expressions about objects, in integers: what the front end writes and the evaluator reads.
//
// An expression is a node with operands; nodes stand in one list, operands before those that use them, so that equal
// parts of expressions are one node. There are four sorts of nodes:
//
//   concept   a set of objects
//   role      a set of pairs of objects
//   distance  of every object: the length of a shortest path along a role to an object of a concept
//   literal   a truth value, of the state alone or of the arguments of an action
//
// The operands of each kind of node are listed at `NodeKind`. `when` says which atoms of a predicate are meant: those
// that hold, those that the goal asks for, or those that it asks for and that do not hold. Predicates, argument
// positions, objects and parameters are numbered from 0.
//
// Example: "?y is nearer than ?x to a place where the goal wants something that is not there, by road":
//
//     0  argument(at, 1, missing)    1  pairs(road, 0, 1, holds)    2  distance(0, 1)    3  nearer(1, 0, 2)
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "base/ranges.hpp"
#include "task/task.hpp"

namespace gpaplan {

enum class NodeKind : std::uint8_t {
    // concepts
    objects,       // those listed
    argument,      // predicate, position, when: the objects in a position
    complement,    // concept
    intersection,  // concept, concept
    some,          // role, concept: related to some object of the concept
    every,         // role, concept: related to objects of the concept only
    same,          // role, role: the objects whose successors by both are the same, and that have any
    // roles
    pairs,       // predicate, position, position, when
    inverse,     // role
    closure,     // role: transitive
    star,        // role: reflexive and transitive
    common,      // role, role: the pairs of both
    difference,  // role, role: the pairs of the first that are not of the second
    distance,    // concept, role
    // literals
    flag,     // predicate, when
    empty,    // concept
    is,       // parameter, concept
    related,  // parameter, parameter, role
    nearer,   // parameter, parameter, distance: of the first it is less than of the second
};

enum class When : std::uint8_t { holds, wanted, missing };

constexpr bool is_concept(NodeKind kind) { return kind <= NodeKind::same; }
constexpr bool is_role(NodeKind kind) { return kind >= NodeKind::pairs && kind <= NodeKind::difference; }
constexpr bool is_literal(NodeKind kind) { return kind >= NodeKind::flag; }
constexpr bool is_about_action(NodeKind kind) { return kind >= NodeKind::is; }

struct Node {
    NodeKind kind;
    Indices operands;
};

struct Expressions {
    std::uint32_t object_count = 0;
    std::vector<Indices> wanted;  // the atoms that the goal asks for: a predicate and its arguments
    std::vector<Node> nodes;
};

// Throws InternalError unless every operand is of the sort that its node asks for, and stands before it.
void validate(const Expressions& expressions);

// A literal or its negation, as rules have them: 2·node for "holds", 2·node+1 for "does not hold".
using NodeLiteral = std::uint32_t;

}  // namespace gpaplan
