// The best admissible estimate for its time: pattern databases, LM-cut, or the larger of both.
//
// LM-cut looks at the whole task in every state and may take a hundred times as long as looking values up. So both are
// asked about some sample states first. LM-cut is left out if it adds little to the sum of all estimates there and
// knows no dead end that pattern databases do not know, and pattern databases are if they say more in none; else the
// larger of the two estimates is taken.
#pragma once

#include "patterns/pattern_heuristic.hpp"

namespace gpaplan {

enum class BestChoice : std::uint8_t { patterns, lmcut, both };
template <>
inline constexpr std::array names<BestChoice>{"patterns", "lmcut", "both"};

// What pattern databases and LM-cut say of some sample states.
struct Comparison {
    std::uint32_t states = 0;     // samples
    std::uint32_t dead_ends = 0;  // that LM-cut alone knows
    std::uint32_t higher = 0;     // samples of which pattern databases say more
    double patterns = 0;          // sum of their estimates, where both are finite
    double larger = 0;            // sum of the larger ones
};

class BestHeuristic final : public Heuristic {
public:
    BestHeuristic(const Task& task, const PatternOptions& options, Stop& stop);

    double evaluate(const Word* state) override;
    bool is_admissible() const override { return true; }
    void set_stop(Stop* stop) override;
    std::uint64_t evaluation_cost() const override {
        return landmarks_ ? landmarks_->evaluation_cost() : patterns_->evaluation_cost();
    }

    BestChoice choice() const { return choice_; }
    const Comparison& comparison() const { return comparison_; }
    const std::vector<std::vector<Word>>& samples() const { return samples_; }  // see PatternHeuristic
    PatternHeuristic* patterns() const { return patterns_.get(); }              // null if they are left out

private:
    std::unique_ptr<PatternHeuristic> patterns_;
    std::unique_ptr<Heuristic> landmarks_;
    BestChoice choice_ = BestChoice::both;
    Comparison comparison_;
    std::vector<std::vector<Word>> samples_;
};

}  // namespace gpaplan
