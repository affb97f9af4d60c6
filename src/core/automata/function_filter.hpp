// A filter that is a function of a state and an action: how one that is written outside the core joins in.
#pragma once

#include "automata/matching_filter.hpp"

namespace gpaplan {

class FunctionFilter : public MatchingFilter {
public:
    using Keeps = std::function<bool(const Word* state, ActionId action)>;

    FunctionFilter(Keeps keeps, bool lenient) : MatchingFilter(1, lenient), keeps_(std::move(keeps)) {}

    bool keeps_action(ActionId action) override { return keeps_everything() || keeps_(state_, action); }

private:
    void compare(const Word* bits, IndexSpan /*actions*/) override { state_ = bits; }

    Keeps keeps_;
    const Word* state_ = nullptr;  // the state entered, as long as it is expanded
};

}  // namespace gpaplan
