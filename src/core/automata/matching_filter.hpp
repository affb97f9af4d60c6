// A filter that matches a state in several ways, one after the other, until an action is kept.
//
// Each match keeps what those before it keep, and perhaps more. After the last one, if the filter is lenient, all
// actions are kept. What a match compares is up to those who implement it: the edges of an automaton (constraint.hpp),
// rule lists (rule_filter.hpp), or a function of the front end, which has one match (bindings/automaton.cpp).
#pragma once

#include "spaces/state_space.hpp"

namespace gpaplan {

class MatchingFilter : public TransitionFilter {
public:
    MatchingFilter(std::size_t match_count, bool lenient)
        : match_count_(static_cast<std::uint32_t>(match_count)), lenient_(lenient) {
        if (match_count == 0) throw InternalError("filter: no match");
    }

    void enter(StateId state, const Word* bits, IndexSpan actions) final {
        entered_ = state;
        match_ = std::exchange(next_match_, 0);
        at_grown(match_of_, state, std::uint8_t{0}) = static_cast<std::uint8_t>(match_);
        compare(bits, actions);
    }
    bool relents() final {
        if (keeps_everything()) return false;
        next_match_ = match_ + 1;
        if (next_match_ < match_count_ || lenient_) return true;
        match_of_[entered_] = static_cast<std::uint8_t>(next_match_);
        next_match_ = 0;
        return false;
    }
    void forget_states() override { match_of_ = {}; }

    // By which match each expanded state was matched, by index; as many as there are if by none.
    std::uint32_t match_of(StateId state) const { return state < match_of_.size() ? match_of_[state] : 0; }

protected:
    static constexpr std::uint64_t cost_of_comparison = 8;  // in backups

    // Looks at the state entered, by the match at hand; there is none if everything is kept.
    virtual void compare(const Word* bits, IndexSpan actions) = 0;

    std::uint32_t match() const { return match_; }
    bool keeps_everything() const { return match_ == match_count_; }

private:
    std::uint32_t match_count_;
    bool lenient_;
    std::uint32_t match_ = 0;       // in the state entered; as many as there are: everything is kept
    std::uint32_t next_match_ = 0;  // in the state that is entered next
    StateId entered_ = no_id;
    Column<std::uint8_t> match_of_;
};

}  // namespace gpaplan
