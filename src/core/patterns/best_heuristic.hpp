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

class BestHeuristic final : public Heuristic {
public:
    BestHeuristic(const Task& task, const PatternOptions& options, Stop& stop);

    double evaluate(const Word* state) override;
    bool is_admissible() const override { return true; }
    void set_stop(Stop* stop) override;

    BestChoice choice() const { return choice_; }

private:
    std::unique_ptr<PatternHeuristic> patterns_;
    std::unique_ptr<Heuristic> landmarks_;
    BestChoice choice_ = BestChoice::both;
};

}  // namespace gpaplan
