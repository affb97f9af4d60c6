// A packed state as values of variables, and as ranks of projections.
#pragma once

#include "patterns/projection.hpp"

namespace gpaplan {

class StateValues {
public:
    // The variables must outlive this.
    explicit StateValues(const Variables& variables)
        : variables_(&variables), values_(variables.size(), 0), marks_(variables.mutex.size(), 0) {}

    // Returns whether the state has at most one atom of each mutex group, and of each variable one where it must.
    // If not, nothing is known of it: it is none that can be reached.
    bool read(const Word* state, std::uint32_t word_count) {
        ++round_;
        for (std::uint32_t variable = 0; variable < values_.size(); ++variable)
            values_[variable] = variables_->none(variable);
        bool is_possible = true;
        for_each_bit(state, word_count, [&](AtomId atom) {
            values_[variables_->variable_of[atom]] = variables_->value_of[atom];
            for (auto group : variables_->groups_of[atom]) {
                is_possible = is_possible && marks_[group] != round_;
                marks_[group] = round_;
            }
        });
        if (!is_possible) return false;
        for (std::uint32_t variable = 0; variable < values_.size(); ++variable)
            if (values_[variable] >= variables_->domain_size(variable)) return false;
        return true;
    }

    Rank rank(const Indices& pattern, const Indices& radix) const {
        Rank rank = 0;
        for (std::size_t slot = 0; slot < pattern.size(); ++slot) rank += radix[slot] * values_[pattern[slot]];
        return rank;
    }

private:
    const Variables* variables_;
    Indices values_;                    // of each variable
    std::vector<std::uint64_t> marks_;  // of each group: the last state that had an atom of it
    std::uint64_t round_ = 0;
};

}  // namespace gpaplan
