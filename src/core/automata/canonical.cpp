#include "automata/canonical.hpp"

#include <algorithm>

namespace gpaplan {

namespace {

constexpr std::size_t most_changes = 64;  // atoms; where more differ, a state is evaluated anew

constexpr std::uint32_t with_flag(std::uint32_t id, bool flag) { return 2 * id + (flag ? 1U : 0U); }

// Takes what is forgotten out of the code of an abstract state.
void coarsen(Indices& code, const Forgotten& forgotten) {
    const std::size_t relations = 2 + std::size_t{code[1]};
    if (forgotten.relations) code.resize(relations);
    const auto clear_flags = [&](std::size_t first, std::size_t end) {
        for (auto i = first; i < end; ++i) code[i] &= ~std::uint32_t{1};
    };
    if (forgotten.counts) clear_flags(2, relations);
    if (forgotten.extents) clear_flags(relations, code.size());
}

}  // namespace

CanonicalAbstraction::CanonicalAbstraction(const Task& task, const Features& features, const Indices& ignored,
                                           Forgotten forgotten)
    : task_(task), forgotten_(forgotten), roles_(task, features), relations_(task, features.object_count, ignored) {}

AbstractId CanonicalAbstraction::enter(const Word* state) {
    const auto id = this->state(state);
    entered_roles_ = roles_.of_objects();
    return id;
}

AbstractId CanonicalAbstraction::action(ActionId action) {
    code_.assign(1, task_.action_schemas[action]);
    for (auto object : task_.action_arguments[action]) code_.push_back(entered_roles_[object]);
    return actions_.intern(code_);
}

AbstractId CanonicalAbstraction::state(const Word* state) {
    if (find_changes(state)) {
        if (changed_.empty()) return last_id_;
        const auto& moved = roles_.find_moved(state, changed_);
        const bool is_partial = relations_.leave(last_.data(), roles_, changed_, moved);
        roles_.move();
        if (is_partial)
            relations_.enter(state, roles_);
        else
            relations_.count(state, roles_);
    } else {
        roles_.find(state);
        relations_.count(state, roles_);
    }
    last_.assign(state, state + task_.word_count());
    write_code();
    coarsen(code_, forgotten_);
    last_id_ = states_.intern(code_);
    return last_id_;
}

AbstractId CanonicalAbstraction::coarsened(AbstractId state, std::uint32_t level) {
    const auto code = states_[state];
    code_.assign(code.begin(), code.end());
    coarsen(code_, {.counts = level >= 1, .extents = level >= 2, .relations = level >= 3});
    return states_.intern(code_);
}

// The atoms that differ from the state evaluated last; false if there is none, or too many differ.
bool CanonicalAbstraction::find_changes(const Word* state) {
    changed_.clear();
    if (last_.empty()) return false;
    for (std::uint32_t w = 0; w < task_.word_count(); ++w) {
        const Word bits = state[w] ^ last_[w];
        if (changed_.size() + static_cast<std::size_t>(std::popcount(bits)) > most_changes) return false;
        for_each_bit_of(bits, w, [&](AtomId atom) { changed_.push_back(atom); });
    }
    return true;
}

void CanonicalAbstraction::write_code() {
    const auto& used = roles_.used();
    code_.assign({roles_[roles_.phantom()], static_cast<std::uint32_t>(used.size())});
    for (auto role : used) code_.push_back(with_flag(role, roles_.size(role) > 1));
    for (auto relation : relations_.counted()) {
        std::uint64_t tuples = 1;
        for (auto role : relations_[relation].subspan(1)) tuples *= roles_.size(role);
        code_.push_back(with_flag(relation, relations_.count_of(relation) == tuples));
    }
}

}  // namespace gpaplan
