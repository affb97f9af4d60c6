// What an action may do to the variables of a pattern, in one abstract state.
#pragma once

#include "patterns/constants.hpp"
#include "patterns/projection.hpp"

namespace gpaplan {

// A change of values: (slot, value) pairs; a slot is a place in the pattern.
struct AbstractChange {
    double probability = 1;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> adds;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> deletes;
};
using Distribution = std::vector<AbstractChange>;

inline void merge_equal(Distribution& distribution) {
    Distribution merged;
    for (auto& change : distribution) {
        sort_unique(change.adds);
        sort_unique(change.deletes);
        const auto same = std::ranges::find_if(merged, [&](const AbstractChange& other) {
            return other.adds == change.adds && other.deletes == change.deletes;
        });
        if (same == merged.end())
            merged.push_back(std::move(change));
        else
            same->probability += change.probability;
    }

    distribution = std::move(merged);
}

class ProjectedState {
public:
    ProjectedState(const ProjectedTask& task, const Indices& pattern)
        : values(pattern.size(), 0), task_(task), pattern_(pattern), slot_of_(task.variables.size(), no_id) {
        const auto& variables = task.variables;
        for (std::uint32_t slot = 0; slot < pattern.size(); ++slot) slot_of_[pattern[slot]] = slot;
        conflicts_.resize(pattern.size() * pattern.size());
        for (std::uint32_t i = 0; i < pattern.size(); ++i) {
            for (std::uint32_t j = 0; j < i; ++j) {
                auto& table = conflicts_[i * pattern.size() + j];
                const auto width = variables.domain_size(pattern[j]);
                table.assign(std::size_t{variables.domain_size(pattern[i])} * width, 0);
                for (std::uint32_t a = 0; a < variables.none(pattern[i]); ++a)
                    for (std::uint32_t b = 0; b < variables.none(pattern[j]); ++b)
                        if (variables.exclude(variables.atoms[pattern[i]][a], variables.atoms[pattern[j]][b]))
                            table[a * width + b] = 1;
            }
        }
    }

    enum class Truth : std::uint8_t { no, maybe, yes };

    std::uint32_t slot_of(AtomId atom) const { return slot_of_[task_.variables.variable_of[atom]]; }
    std::uint32_t value_of(AtomId atom) const { return task_.variables.value_of[atom]; }

    Indices values;  // of each slot

    // Whether two values exclude each other.
    bool is_impossible() const {
        for (std::uint32_t i = 0; i < pattern_.size(); ++i)
            for (std::uint32_t j = 0; j < i; ++j)
                if (conflicts_[i * pattern_.size() + j]
                              [values[i] * task_.variables.domain_size(pattern_[j]) + values[j]] != 0)
                    return true;
        return false;
    }

    // Literals that are known to hold besides: those of a precondition.
    void assume(IndexSpan literals) { known_ = literals; }
    Truth truth(std::uint32_t condition) const {
        auto result = Truth::yes;
        for (auto literal : task_.task.literals[condition]) {
            auto truth = truth_of_atom(atom_of(literal));
            if (is_negated(literal) && truth != Truth::maybe) truth = truth == Truth::yes ? Truth::no : Truth::yes;
            if (truth == Truth::no) return Truth::no;
            result = std::min(result, truth);
        }
        for (auto disjunction : task_.task.condition_disjunctions[condition]) {
            auto best = Truth::no;
            for (auto option : task_.task.disjunctions[disjunction]) best = std::max(best, truth(option));
            if (best == Truth::no) return Truth::no;
            result = std::min(result, best);
        }
        return result;
    }

    // The values after a change; nothing if no state has them.
    bool apply(const AbstractChange& change, Indices& result) const {
        result = values;
        const auto none = [&](std::uint32_t slot) { return task_.variables.none(pattern_[slot]); };
        for (const auto& [slot, value] : change.deletes)
            if (values[slot] == value) result[slot] = none(slot);
        for (const auto& [slot, value] : change.adds) {
            if (result[slot] != none(slot) && result[slot] != value) return false;
            result[slot] = value;
        }
        for (std::uint32_t slot = 0; slot < pattern_.size(); ++slot)
            if (result[slot] >= task_.variables.domain_size(pattern_[slot])) return false;
        return true;
    }

    // What an effect does; nothing if a condition is not known to hold or not, or if there are too many outcomes.
    std::optional<Distribution> distribution(std::uint32_t effect) const {
        Distribution all{change(effect)};
        for (auto factor : task_.task.factors[effect]) {
            const auto drawn = draw(factor);
            if (!drawn || !join(all, *drawn)) return {};
        }
        const auto conditionals = task_.task.conditionals[effect];
        for (std::size_t k = 0; k < conditionals.size(); k += 2) {
            const auto holds = truth(conditionals[k]);
            if (holds == Truth::no) continue;
            const auto inner = distribution(conditionals[k + 1]);
            if (!inner) return {};
            const auto does_nothing = [](const auto& c) { return c.adds.empty() && c.deletes.empty(); };
            if (std::ranges::all_of(*inner, does_nothing)) continue;
            if (holds == Truth::maybe || !join(all, *inner)) return {};
        }
        return all;
    }

    // The change of an effect by itself.
    AbstractChange change(std::uint32_t effect) const {
        AbstractChange result;
        for (auto atom : task_.task.adds[effect])
            if (slot_of(atom) != no_id) result.adds.emplace_back(slot_of(atom), value_of(atom));
        for (auto atom : task_.task.deletes[effect])
            if (slot_of(atom) != no_id) result.deletes.emplace_back(slot_of(atom), value_of(atom));
        return result;
    }

private:
    Truth truth_of_atom(AtomId atom) const {
        const auto& variables = task_.variables;
        if (const auto slot = slot_of(atom); slot != no_id)
            return values[slot] == value_of(atom) ? Truth::yes : Truth::no;
        for (auto literal : known_) {
            if (atom_of(literal) == atom) return is_negated(literal) ? Truth::no : Truth::yes;
            if (!is_negated(literal) && variables.exclude(atom_of(literal), atom)) return Truth::no;
        }
        for (std::uint32_t slot = 0; slot < pattern_.size(); ++slot)
            if (values[slot] < variables.none(pattern_[slot]) &&
                variables.exclude(variables.atoms[pattern_[slot]][values[slot]], atom))
                return Truth::no;
        return Truth::maybe;
    }

    // What two independent parts of an effect do together.
    bool join(Distribution& all, const Distribution& more) const {
        if (all.size() * more.size() > pattern_constants::most_outcomes) return false;
        Distribution both;
        for (const auto& a : all) {
            for (const auto& b : more) {
                both.push_back(a);
                auto& change = both.back();
                change.probability *= b.probability;
                change.adds.insert(change.adds.end(), b.adds.begin(), b.adds.end());
                change.deletes.insert(change.deletes.end(), b.deletes.begin(), b.deletes.end());
            }
        }
        merge_equal(both);
        all = std::move(both);
        return true;
    }

    std::optional<Distribution> draw(std::uint32_t factor) const {
        Distribution mixture;
        const auto outcomes = task_.task.outcomes[factor];
        for (std::size_t k = 0; k < outcomes.size(); k += 2) {
            const auto inner = distribution(outcomes[k + 1]);
            if (!inner) return {};
            for (auto change : *inner) {
                change.probability *= task_.task.probabilities[outcomes[k]];
                mixture.push_back(std::move(change));
            }
            merge_equal(mixture);
        }
        return mixture;
    }

    const ProjectedTask& task_;
    const Indices& pattern_;
    Indices slot_of_;  // of each variable
    IndexSpan known_;
    std::vector<std::vector<std::uint8_t>> conflicts_;  // of each pair of slots, of each pair of values
};

}  // namespace gpaplan
