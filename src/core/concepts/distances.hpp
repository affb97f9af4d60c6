// Lengths of shortest paths along a relation to the nearest object of a set.
//
// Where the relation never changes, as roads do not, the distances to a set are kept for the next state in which the
// set is the same: a few places are asked for again and again.
#pragma once

#include "base/interner.hpp"
#include "concepts/meaning.hpp"

namespace gpaplan {

class Distances {
public:
    // The universe must outlive it.
    explicit Distances(const Universe& universe);

    // Of each object, along the relation of which the inverse is given. Valid until the next call.
    const Distance* find(const Meaning& predecessors, const Word* targets);
    // The same for a relation that is the same in every call.
    const Distance* find_kept(const Meaning& predecessors, const Word* targets);

private:
    void search(const Meaning& predecessors, const Word* targets, Distance* result);

    static constexpr std::size_t most_kept = std::size_t{1} << 22U;  // distances, of all sets together

    const Universe& universe_;
    std::size_t size_;  // places of objects
    std::vector<Distance> found_;
    WordInterner targets_;
    std::vector<Distance> kept_;  // of each set, those of all objects
    std::vector<Word> seen_, frontier_, next_;
};

}  // namespace gpaplan
