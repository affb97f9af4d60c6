#include "automata/constraint.hpp"

#include <utility>

namespace gpaplan {

void Constraint::enter(StateId state, const Word* bits) {
    (void)state;
    relenting_ = std::exchange(relent_next_, false);
    source_ = abstraction_.enter(bits);
}

bool Constraint::keeps_action(ActionId action) {
    outcomes_.clear();
    if (relenting_) return true;
    targets_ = edges_.leaves(source_) ? edges_.find(source_, abstraction_.action(action)) : nullptr;
    return targets_ != nullptr;
}

bool Constraint::keeps_outcome(StateId known, const Word* bits) {
    outcomes_.push_back(known != no_id ? column_(known, bits) : abstraction_.state(bits));
    return relenting_ || std::ranges::binary_search(*targets_, outcomes_.back());
}

}  // namespace gpaplan
