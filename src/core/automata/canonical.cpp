#include "automata/canonical.hpp"

#include <algorithm>
#include <unordered_map>

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

AbstractId CanonicalAbstraction::coarsened(AbstractId state, std::uint32_t degree) {
    const auto code = states_[state];
    code_.assign(code.begin(), code.end());
    coarsen(code_, {.counts = degree >= 1, .extents = degree >= 2, .relations = degree >= 3});
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

AbstractId CanonicalAbstraction::intern(const AbstractState& state) {
    Indices ids, code, relations;
    for (const auto& role : state.roles) ids.push_back(roles_.table().intern(role));
    for (std::size_t i = 0; i < ids.size(); ++i) code.push_back(with_flag(ids[i], state.counts.at(i) > 1));
    std::ranges::sort(code);
    for (const auto& relation : state.relations) {
        Indices name{relation.predicate};
        for (auto role : relation.roles) name.push_back(ids.at(role));
        relations.push_back(with_flag(relations_.intern(name), relation.all));
    }
    std::ranges::sort(relations);
    code.insert(code.begin(), {roles_.table().intern(state.phantom), static_cast<std::uint32_t>(ids.size())});
    code.insert(code.end(), relations.begin(), relations.end());
    return states_.intern(code);
}

AbstractId CanonicalAbstraction::intern_action(const AbstractAction& action) {
    Indices code{action.schema};
    for (const auto& role : action.roles) code.push_back(roles_.table().intern(role));
    return actions_.intern(code);
}

AbstractState CanonicalAbstraction::spell_out(AbstractId id) const {
    const auto code = states_[id];
    const auto& table = roles_.table();
    AbstractState state;
    std::unordered_map<RoleId, std::uint32_t> place;
    state.phantom = table.features(code[0]);
    for (const auto entry : code.subspan(2, code[1])) {
        place[entry / 2] = static_cast<std::uint32_t>(state.roles.size());
        state.roles.push_back(table.features(entry / 2));
        state.counts.push_back(1 + entry % 2);
    }
    for (const auto entry : code.subspan(2 + code[1])) {
        const auto name = relations_[entry / 2];
        AbstractState::Relation relation{name[0], {}, entry % 2 == 1};
        for (auto role : name.subspan(1)) relation.roles.push_back(place.at(role));
        state.relations.push_back(std::move(relation));
    }
    return state;
}

AbstractAction CanonicalAbstraction::spell_out_action(AbstractId id) const {
    const auto code = actions_[id];
    AbstractAction action{code[0], {}};
    for (auto role : code.subspan(1)) action.roles.push_back(roles_.table().features(role));
    return action;
}

}  // namespace gpaplan
