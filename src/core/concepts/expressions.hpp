// Expressions about objects, in integers: what the front end writes and the evaluator reads.
//
// An expression is a node with operands; nodes stand in one list, operands before those that use them, so that equal
// parts of expressions are one node. There are four sorts of nodes:
//
//   concept   a set of objects
//   relation  a set of pairs of objects
//   distance  of every object: the length of a shortest path along a relation to an object of a concept
//   literal   a truth value, of the state alone or of the arguments of an action
//
// The table has the operands of each kind of node. `when` says which atoms of a predicate are meant: those that hold,
// those that the goal asks for, or those that it asks for and that do not hold. Predicates, argument positions, objects
// and parameters are numbered from 0. A new kind is a name, an entry of the table, and a case in meaning.cpp.
//
// Example: "?y is nearer than ?x to a place where the goal wants something that is not there, by road":
//
//     0  argument(missing, at, 1)    1  pairs(holds, road, 0, 1)    2  distance(0, 1)    3  nearer(1, 0, 2)
#pragma once

#include <string_view>

#include "task/task.hpp"

namespace gpaplan {

enum class NodeKind : std::uint8_t {
    // concepts
    objects,   // those listed
    argument,  // the objects in a position
    complement,
    intersection,
    some,   // related to some object of the concept
    every,  // related to objects of the concept only
    same,   // the objects whose successors by both are the same, and that have any
    // relations
    pairs,
    inverse,
    plus,    // transitive closure
    star,    // reflexive and transitive closure
    common,  // the pairs of both
    minus,   // the pairs of the first that are not of the second
    either,  // the pairs of one or of both
    then,    // a step of the first, and from there one of the second
    into,    // the pairs that end in an object of the concept
    distance,
    // literals
    flag,
    empty,
    is,
    related,
    nearer,      // of the first parameter the distance is less than of the second
    nearer_for,  // of the second parameter less than of the third, to what a relation relates the first to
};

enum class AtomMark : std::uint8_t { holds, wanted, missing };

enum class Sort : std::uint8_t { concept_, relation, distance, literal, object, when, predicate, position, parameter };

struct Constructor {
    NodeKind kind;
    std::string_view name;
    Sort makes;
    std::vector<Sort> of;  // the operands; of `objects` there may be any number
};

// By kind.
inline const std::vector<Constructor>& constructors() {
    using enum Sort;
    static const std::vector<Constructor> table = {
        {NodeKind::objects, "objects", concept_, {}},
        {NodeKind::argument, "argument", concept_, {when, predicate, position}},
        {NodeKind::complement, "complement", concept_, {concept_}},
        {NodeKind::intersection, "intersection", concept_, {concept_, concept_}},
        {NodeKind::some, "some", concept_, {relation, concept_}},
        {NodeKind::every, "every", concept_, {relation, concept_}},
        {NodeKind::same, "same", concept_, {relation, relation}},
        {NodeKind::pairs, "pairs", relation, {when, predicate, position, position}},
        {NodeKind::inverse, "inverse", relation, {relation}},
        {NodeKind::plus, "plus", relation, {relation}},
        {NodeKind::star, "star", relation, {relation}},
        {NodeKind::common, "common", relation, {relation, relation}},
        {NodeKind::minus, "minus", relation, {relation, relation}},
        {NodeKind::either, "either", relation, {relation, relation}},
        {NodeKind::then, "then", relation, {relation, relation}},
        {NodeKind::into, "into", relation, {relation, concept_}},
        {NodeKind::distance, "distance", distance, {concept_, relation}},
        {NodeKind::flag, "flag", literal, {when, predicate}},
        {NodeKind::empty, "empty", literal, {concept_}},
        {NodeKind::is, "is", literal, {parameter, concept_}},
        {NodeKind::related, "related", literal, {parameter, parameter, relation}},
        {NodeKind::nearer, "nearer", literal, {parameter, parameter, distance}},
        {NodeKind::nearer_for, "nearer-for", literal, {parameter, parameter, parameter, relation, relation}},
    };
    return table;
}
inline const Constructor& constructor(NodeKind kind) { return constructors()[static_cast<std::size_t>(kind)]; }
inline Sort sort_of(NodeKind kind) { return constructor(kind).makes; }
// How many of the operands are parameters; they come first.
std::uint32_t parameter_count(NodeKind kind);

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
