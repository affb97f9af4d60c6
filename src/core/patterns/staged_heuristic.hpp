// Pattern databases that grow with the search.
//
// Full tables take a tenth of a second or more to make, and many a search is over in less. So it begins with little
// ones, and makes larger ones when so many estimates were asked for that the time for them is a small part of what was
// spent already. Stages are counted in estimates, so that the same happens
// on every machine. Every stage is admissible; with a new one, searches look at their old values again.
#pragma once

#include "patterns/best_heuristic.hpp"

namespace gpaplan {

class StagedHeuristic final : public Heuristic {
public:
    // The task must outlive the heuristic. `stop` is for the making of the first tables, which throws Stopped.
    StagedHeuristic(const Task& task, const PatternOptions& options, bool with_landmarks, Stop& stop);

    double evaluate(const Word* state) override {
        if (stage_ + 1 < stages_.size() && (estimates_ += evaluation_cost_) > stages_[stage_ + 1].estimates)
            enter(stage_ + 1);
        return current_->evaluate(state);
    }
    bool is_admissible() const override { return true; }
    void set_stop(Stop* stop) override {
        Heuristic::set_stop(stop);
        current_->set_stop(stop);
    }

    std::uint64_t evaluation_cost() const override { return current_->evaluation_cost(); }
    std::uint32_t revision() const override { return revision_; }
    // By tables alone: LM-cut was known before.
    double reconsider(const Word* state) override;

    // Of the tables at hand.
    std::vector<Indices> patterns() const;
    BestChoice choice() const;
    Comparison comparison() const;  // of no states, if there are no landmarks

private:
    struct Stage {
        std::uint64_t estimates;      // that were asked for before it begins
        std::uint32_t max_variables;  // what it may take at the most
        std::uint64_t max_work;
        std::uint32_t max_orders;
    };
    static constexpr std::array<Stage, 3> all_stages{
        {{0, 2, 20'000, 4}, {25'000, 3, 100'000, 8}, {300'000, no_id, ~0ULL, no_id}}};
    // An estimate by LM-cut counts as one by tables for each so many actions of the task, and one more; tables of tasks
    // with many actions take longer, too, so there is a limit.
    static constexpr std::size_t actions_a_unit = 32;
    static constexpr std::size_t highest_cost = 32;

    void find_stages();
    PatternHeuristic* tables() const;  // at hand; null if they are left out
    PatternOptions options_of(std::size_t stage) const;
    void enter(std::size_t stage);
    std::unique_ptr<Heuristic> make(std::size_t stage, Stop& stop);
    bool says_more(Heuristic& other, double factor) const;
    static BestChoice choice_of(const Heuristic& made);
    void set_evaluation_cost();

    const Task& task_;
    PatternOptions options_;
    bool with_landmarks_;
    std::unique_ptr<Heuristic> current_;
    std::vector<std::vector<Word>> samples_;
    std::vector<Stage> stages_;  // those in which more is made than in the one before
    std::size_t stage_ = 0;
    std::uint64_t estimates_ = 0;
    std::uint64_t evaluation_cost_ = 1;  // of an estimate
    std::uint32_t revision_ = 0;
};

}  // namespace gpaplan
