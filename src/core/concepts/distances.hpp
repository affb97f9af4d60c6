// Lengths of shortest paths along a role to the nearest object of a set.
//
// Where the role never changes, as roads do not, the distances to a set are kept for the next state in which the set is
// the same: a few places are asked for again and again.
#pragma once

#include <limits>
#include <vector>

#include "base/interner.hpp"
#include "concepts/relation.hpp"

namespace gpaplan {

using Distance = std::uint32_t;
constexpr Distance unreachable = std::numeric_limits<Distance>::max();

class Distances {
public:
    explicit Distances(std::uint32_t object_count);

    // Of each object, along the role that a relation is the inverse of. Valid until the next call.
    const Distance* find(const Relation& predecessors, const Word* targets);
    // The same for a relation that is the same in every call.
    const Distance* find_kept(const Relation& predecessors, const Word* targets);

private:
    void search(const Relation& predecessors, const Word* targets, Distance* result);

    static constexpr std::size_t most_kept = std::size_t{1} << 22U;  // distances, of all sets together

    std::uint32_t object_count_;
    std::vector<Distance> found_;
    WordInterner targets_;
    std::vector<Distance> kept_;  // of each set, those of all objects
    std::vector<Word> seen_, frontier_, next_;
};

}  // namespace gpaplan
