// The constraint that a generalized policy automaton puts on a task.
//
// An action is kept in a state if there is an edge for the state's and the action's abstraction, and every outcome's
// abstraction is among the edge's targets; in the constrained task no other action exists. Abstractions are computed
// only for states that the search expands and for the outcomes of actions that have an edge, once for each state.
//
// That is the strict match. Relaxed ones compare at a coarser abstraction level (abstraction.hpp), or take an outcome
// that is a goal for granted.
#pragma once

#include "automata/edge_set.hpp"
#include "automata/matching_filter.hpp"

namespace gpaplan {

// How far the match of a state with an automaton is relaxed; by default not at all.
struct RelaxedMatch {
    std::uint32_t level = 0;  // of the abstraction
    bool accepts_goals = false;
};

class Constraint : public MatchingFilter {
public:
    // All of them must outlive the constraint. There is at least one match.
    Constraint(const Task& task, Abstraction& abstraction, const EdgeSet& edges, std::vector<RelaxedMatch> matches,
               bool lenient)
        : MatchingFilter(matches.size(), lenient),
          task_(task),
          abstraction_(abstraction),
          matches_(std::move(matches)),
          column_(abstraction) {
        for (const auto& match : matches_) {
            if (match.level > abstraction.coarsest()) throw InternalError("constraint: no such level");
            if (levels_.size() <= match.level) levels_.resize(match.level + std::size_t{1});
            auto& kept = levels_[match.level].edges;
            if (kept.size() == 0) kept = match.level == 0 ? edges : edges.coarsened(abstraction, match.level);
        }
    }

    bool keeps_action(ActionId action) override {
        outcomes_.clear();
        if (keeps_everything()) return true;
        const auto& edges = levels_[matches_[match()].level].edges;
        targets_ = edges.leaves(source_) ? edges.find(source_, abstraction_.action(action)) : nullptr;
        return targets_ != nullptr;
    }

    bool keeps_outcome(StateId known, const Word* bits) override {
        if (known == no_id) ++abstractions_;
        outcomes_.push_back(known != no_id ? column_(known, bits) : abstraction_.state(bits));
        if (keeps_everything() || std::ranges::binary_search(*targets_, coarse(outcomes_.back()))) return true;
        return matches_[match()].accepts_goals && holds(task_, task_.goal, bits);
    }

    void meet(std::size_t place, StateId state) override { column_.set(state, outcomes_[place]); }
    void forget_states() override {
        MatchingFilter::forget_states();
        column_.clear();
    }
    std::uint64_t work() const override { return cost_of_comparison * abstractions_; }

private:
    // An abstraction level: the edges, and the coarse ids that are known.
    struct Level {
        EdgeSet edges;
        Indices ids;  // of each abstract state, no_id where it was never asked for
    };

    void compare(const Word* bits, IndexSpan /*actions*/) override {
        ++abstractions_;
        const auto id = abstraction_.enter(bits);
        source_ = keeps_everything() ? id : coarse(id);
    }

    AbstractId coarse(AbstractId state) {
        const auto level = matches_[match()].level;
        if (level == 0) return state;
        auto& id = at_grown(levels_[level].ids, state, no_id);
        return id == no_id ? id = abstraction_.coarsened(state, level) : id;
    }

    const Task& task_;
    Abstraction& abstraction_;
    std::vector<RelaxedMatch> matches_;
    std::vector<Level> levels_;  // by number
    AbstractColumn column_;

    AbstractId source_ = no_id;  // the abstraction of the state entered, at the level of the match
    const Indices* targets_ = nullptr;
    Indices outcomes_;  // the abstractions of the outcomes asked about
    std::uint64_t abstractions_ = 0;
};

}  // namespace gpaplan
