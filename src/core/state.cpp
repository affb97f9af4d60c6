#include "state.hpp"

namespace gpaplan {

bool holds(const Task& task, std::uint32_t condition, const Word* state) {
    for (auto literal : task.literals[condition])
        if (test_bit(state, atom_of(literal)) == is_negated(literal)) return false;
    for (auto disjunction : task.condition_disjunctions[condition]) {
        const auto options = task.disjunctions[disjunction];
        if (std::ranges::none_of(options, [&](auto option) { return holds(task, option, state); })) return false;
    }
    return true;
}

}  // namespace gpaplan
