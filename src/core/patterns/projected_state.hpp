// What an action may do to the variables of a pattern, in one abstract state.
#pragma once

#include <optional>
#include <vector>

#include "patterns/projection.hpp"

namespace gpaplan {

// A change of values: (slot, value) pairs; a slot is a place in the pattern.
struct AbstractChange {
    double probability = 1;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> adds;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> deletes;
};
using Distribution = std::vector<AbstractChange>;

class ProjectedState {
public:
    ProjectedState(const ProjectedTask& task, const Indices& pattern);

    enum class Truth : std::uint8_t { no, maybe, yes };

    std::uint32_t slot_of(AtomId atom) const { return slot_of_[task_.variables.variable_of[atom]]; }
    std::uint32_t value_of(AtomId atom) const { return task_.variables.value_of[atom]; }

    Indices values;  // of each slot

    // Whether two values exclude each other.
    bool is_impossible() const;
    // Literals that are known to hold besides: those of a precondition.
    void assume(IndexSpan literals) { known_ = literals; }
    Truth truth(std::uint32_t condition) const;

    // The values after a change; nothing if no state has them.
    bool apply(const AbstractChange& change, Indices& result) const;

    // All that an effect may do, a distribution for each answer to what is not known; nothing if these are too many.
    std::optional<std::vector<Distribution>> alternatives(std::uint32_t effect) const;

    // The change of an effect by itself.
    AbstractChange change(std::uint32_t effect) const;

private:
    Truth truth_of_atom(AtomId atom) const;
    bool join(std::vector<Distribution>& all, const std::vector<Distribution>& more) const;
    std::optional<std::vector<Distribution>> draw(std::uint32_t factor) const;

    const ProjectedTask& task_;
    const Indices& pattern_;
    Indices slot_of_;  // of each variable
    IndexSpan known_;
    std::vector<std::vector<std::uint8_t>> conflicts_;  // of each pair of slots, of each pair of values
};

}  // namespace gpaplan
