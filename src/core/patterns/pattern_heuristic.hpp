// Pattern databases: estimates from the exact values of projections, looked up.
//
// The estimate of a state is that of the best sum of tables (cost_partitioning.hpp), and at least the cost of the
// cheapest action. Where a projection has no proper policy, or with a dead-end cost no path to the goal, neither
// has the task, and the estimate is infinite. A state that has two atoms of a mutex group is none that can be reached;
// nothing but the cheapest action is known of it.
//
// Costs are not partitioned evenly between interchangeable objects, so states that differ by a renaming have different
// estimates, and all of them are bounds for each. Where states are met up to symmetry and there are few renamings, the
// estimate is the largest of them all: a representative is then worth as much as the states that it stands for, and
// estimates are consistent. Where there are more of them, two objects are swapped, those that raise the estimate the
// most, and then two others, as long as that raises it. Where renamings say hardly more of the representatives of the
// sample states, they are left alone.
#pragma once

#include <memory>

#include "heuristics/heuristic.hpp"
#include "patterns/cost_partitioning.hpp"
#include "patterns/state_values.hpp"
#include "symmetry/representative.hpp"

namespace gpaplan {

struct PatternOptions {
    CollectionOptions collection;
    PartitionOptions partition;
    std::shared_ptr<const Symmetry> symmetry;  // up to which states are met; may be null
};

class PatternHeuristic final : public Heuristic {
public:
    // The task must outlive the heuristic. `stop` is for the making alone, which throws Stopped.
    PatternHeuristic(const Task& task, const PatternOptions& options, Stop& stop);

    double evaluate(const Word* state) override;
    bool is_admissible() const override { return true; }

    const Variables& variables() const { return variables_; }
    const std::vector<std::vector<Word>>& samples() const { return samples_; }  // the first is the initial state
    std::vector<Indices> patterns() const;
    std::size_t sum_count() const { return sums_.size(); }
    std::uint64_t work() const { return work_; }
    std::uint64_t bytes() const;
    std::size_t renaming_count() const { return renamings_.size(); }

private:
    void find_renamings(const std::shared_ptr<const Symmetry>& symmetry);
    double worth(Canonicaliser& canonicaliser);
    void rename(const Indices& renaming);
    double look_up(bool is_possible);

    // A projection, as far as it is needed to look values up.
    struct Pattern {
        Indices variables;
        Indices radix;
        std::vector<std::uint8_t> dead;  // of each rank
        bool has_dead = false;
        bool is_used = false;
    };

    const Task& task_;
    double least_cost_;
    Variables variables_;
    StateValues values_;
    std::vector<Pattern> patterns_;
    std::vector<Tables::Table> tables_;
    Ranges sums_;
    std::vector<std::vector<Word>> samples_;
    std::vector<Indices> renamings_;  // of each atom: its image
    bool climbs_ = false;             // whether renamings are tried one after the other
    std::vector<Word> renamed_;       // scratch
    std::vector<Word> before_;
    Indices ranks_;
    std::uint64_t work_ = 0;
};

}  // namespace gpaplan
