// Pattern databases that grow with the search, and the better of them and LM-cut.
//
// Full tables take a tenth of a second or more to make, and many a search is over in less. So it begins with little
// ones, and makes larger ones when so many estimates were asked for that the time for them is a small part of what was
// spent already. Stages are counted in estimates, so that the same happens on every machine. Every stage is admissible;
// with a new one, searches look at their old values again.
//
// With landmarks, each stage is compared with LM-cut in some sample states. LM-cut is left out if it adds little to the
// sum of all estimates there and knows no dead end that the tables do not know, and the tables are if they say more in
// none; else the larger of the two estimates is taken.
#pragma once

#include "patterns/pattern_heuristic.hpp"

namespace gpaplan {

enum class BestChoice : std::uint8_t { patterns, lmcut, both };
template <>
inline constexpr std::array names<BestChoice>{"patterns", "lmcut", "both"};

// What tables and LM-cut say of some sample states, and what follows.
struct Comparison {
    std::uint32_t states = 0;     // samples; none if there are no landmarks
    std::uint32_t dead_ends = 0;  // that LM-cut alone knows
    std::uint32_t higher = 0;     // samples of which tables say more
    double patterns = 0;          // sum of their estimates, where both are finite
    double larger = 0;            // sum of the larger ones
    BestChoice choice = BestChoice::patterns;
};

class StagedHeuristic final : public Heuristic {
public:
    // The task must outlive the heuristic. If it is not staged, the full tables are made at once. `stop` is for the
    // making of the first tables, which throws Stopped.
    StagedHeuristic(const Task& task, const PatternOptions& options, bool with_landmarks, bool staged, Stop& stop);

    double evaluate(const Word* state) override {
        if (stage_ + 1 < stages_.size() && (estimates_ += cost_in_estimates_) > stages_[stage_ + 1].estimates)
            enter(stage_ + 1);
        return estimate(*tables_, comparison_.choice, state);
    }
    bool is_admissible() const override { return true; }
    void set_stop(Stop* stop) override {
        Heuristic::set_stop(stop);
        if (landmarks_) landmarks_->set_stop(stop);
    }

    std::uint64_t evaluation_cost() const override {
        return comparison_.choice == BestChoice::patterns ? tables_->evaluation_cost() : landmarks_->evaluation_cost();
    }
    std::uint32_t revision() const override { return revision_; }
    // By tables alone: LM-cut was known before.
    double reconsider(const Word* state) override {
        return comparison_.choice == BestChoice::lmcut ? 0 : tables_->evaluate(state);
    }

    // Of the tables at hand.
    std::vector<Indices> patterns() const;
    const Comparison& comparison() const { return comparison_; }

private:
    struct Stage {
        std::uint64_t estimates;      // that were asked for before it begins
        std::uint32_t max_variables;  // what it may take at the most
        std::uint64_t max_work;
        std::uint32_t max_orders;
    };
    static constexpr std::array<Stage, 3> all_stages{
        {{0, 2, 20'000, 4}, {25'000, 3, 100'000, 8}, {300'000, no_id, ~0ULL, no_id}}};

    std::unique_ptr<PatternHeuristic> make(std::size_t stage, Stop& stop) const;
    Comparison compare(PatternHeuristic& tables, Stop& stop);
    void enter(std::size_t stage);
    bool says_more(PatternHeuristic& other, BestChoice choice, double factor);
    double estimate(PatternHeuristic& tables, BestChoice choice, const Word* state);
    void set_cost_in_estimates();

    const Task& task_;
    PatternOptions options_;
    std::vector<Stage> stages_;  // those in which more is made than in the one before
    std::unique_ptr<PatternHeuristic> tables_;
    std::unique_ptr<Heuristic> landmarks_;  // null if there are none
    Comparison comparison_;
    std::vector<std::vector<Word>> samples_;
    std::size_t stage_ = 0;
    std::uint64_t estimates_ = 0;
    std::uint64_t cost_in_estimates_ = 1;  // of an estimate, by tables
    std::uint32_t revision_ = 0;
};

}  // namespace gpaplan
