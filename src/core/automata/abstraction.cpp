#include "automata/abstraction.hpp"

#include <algorithm>
#include <bit>

namespace gpaplan {

namespace {

constexpr std::uint32_t some_tuples = 0;
constexpr std::uint32_t all_tuples = 1;

std::uint64_t hash_of(IndexSpan values) {
    std::uint64_t hash = values.size();
    for (auto value : values) hash = hash_step(hash, value);
    return hash_finish(hash);
}

}  // namespace

Abstraction::Abstraction(const Task& task, Features features)
    : task_(task),
      features_(std::move(features)),
      words_(std::max(1U, (features_.feature_count + 63) / 64)),
      relation_mask_(task.word_count(), 0),
      role_slots_(256, no_id),
      state_slots_(256, no_id),
      count_slots_(256, no_id) {
    const std::size_t objects = features_.object_count + 1;
    static_roles_.assign(objects * words_, 0);
    for (std::size_t object = 0; object < objects; ++object)
        for (auto feature : features_.of_object[object]) set_bit(static_roles_.data() + object * words_, feature);
    const auto related = [&](IndexSpan arguments, std::uint32_t predicate) {
        return arguments.size() >= 2 && std::ranges::find(features_.ignored, predicate) == features_.ignored.end();
    };
    for (AtomId atom = 0; atom < task.atom_count(); ++atom)
        if (related(task.atom_arguments[atom], task.atom_predicates[atom])) set_bit(relation_mask_.data(), atom);
    for (std::uint32_t atom = 0; atom < task.static_predicates.size(); ++atom)
        if (related(task.static_arguments[atom], task.static_predicates[atom])) static_relations_.push_back(atom);
    object_roles_.assign(objects, no_id);
    index_changes();
}

AbstractId Abstraction::evaluate(const Word* state) {
    if (find_changes(state)) {
        if (changed_.empty()) return last_id_;
        update(state);
    } else {
        find_roles(state);
        count_relations(state);
    }
    last_.assign(state, state + task_.word_count());
    write_code();
    last_id_ = intern_code(code_);
    return last_id_;
}

void Abstraction::find_roles(const Word* state) {
    object_words_ = static_roles_;
    for (std::uint32_t w = 0; w < task_.word_count(); ++w) {
        for (auto bits = state[w]; bits != 0; bits &= bits - 1) {
            const auto atom = 64 * w + static_cast<std::uint32_t>(std::countr_zero(bits));
            const auto given = features_.when_true[atom];
            for (std::size_t k = 0; k < given.size(); k += 2)
                set_bit(object_words_.data() + std::size_t{given[k]} * words_, given[k + 1]);
        }
    }
    const auto& absent = features_.when_false;
    for (std::size_t k = 0; k < absent.size(); k += 3)
        if (!test_bit(state, absent[k]))
            set_bit(object_words_.data() + std::size_t{absent[k + 1]} * words_, absent[k + 2]);

    for (auto role : used_roles_) role_sizes_[role] = 0;
    used_roles_.clear();
    for (std::uint32_t object = 0; object <= features_.object_count; ++object) {
        const auto role = intern_role_words(object_words_.data() + std::size_t{object} * words_);
        object_roles_[object] = role;
        if (object == features_.object_count) break;  // the phantom is not counted
        if (role >= role_sizes_.size()) role_sizes_.resize(role + 1, 0);
        if (role_sizes_[role]++ == 0) used_roles_.push_back(role);
    }
}

void Abstraction::count_relations(const Word* state) {
    for (auto slot : used_slots_) count_slots_[slot] = no_id;
    used_slots_.clear();
    counts_.clear();
    empty_counts_ = 0;
    relation_roles_.clear();
    for (auto atom : static_relations_) count_atom(task_.static_predicates[atom], task_.static_arguments[atom], true);
    for (std::uint32_t w = 0; w < task_.word_count(); ++w) {
        for (auto bits = state[w] & relation_mask_[w]; bits != 0; bits &= bits - 1) {
            const auto atom = 64 * w + static_cast<std::uint32_t>(std::countr_zero(bits));
            count_atom(task_.atom_predicates[atom], task_.atom_arguments[atom], true);
        }
    }
}

// Counts an atom for the roles of its arguments, once more or once less.
void Abstraction::count_atom(std::uint32_t predicate, IndexSpan arguments, bool more) {
    std::uint64_t hash = predicate;
    for (auto object : arguments) hash = hash_step(hash, object_roles_[object]);
    const auto mask = count_slots_.size() - 1;
    auto at = hash_finish(hash) & mask;
    for (; count_slots_[at] != no_id; at = (at + 1) & mask) {
        auto& known = counts_[count_slots_[at]];
        if (known.predicate != predicate) continue;
        const auto* roles = relation_roles_.data() + known.roles_begin;
        const bool same = std::ranges::equal(arguments, std::span(roles, known.arity), {},
                                             [&](auto object) { return object_roles_[object]; });
        if (!same) continue;
        if (more && known.count++ == 0) --empty_counts_;
        if (!more && --known.count == 0) ++empty_counts_;
        return;
    }
    count_slots_[at] = static_cast<std::uint32_t>(counts_.size());
    used_slots_.push_back(static_cast<std::uint32_t>(at));
    counts_.push_back({predicate, static_cast<std::uint32_t>(arguments.size()),
                       static_cast<std::uint32_t>(relation_roles_.size()), 1});
    for (auto object : arguments) relation_roles_.push_back(object_roles_[object]);
    if (2 * counts_.size() > count_slots_.size()) {  // grow, and enter everything again
        count_slots_.assign(2 * count_slots_.size(), no_id);
        used_slots_.clear();
        for (std::uint32_t i = 0; i < counts_.size(); ++i) {
            std::uint64_t again = counts_[i].predicate;
            for (std::uint32_t k = 0; k < counts_[i].arity; ++k)
                again = hash_step(again, relation_roles_[counts_[i].roles_begin + k]);
            auto place = hash_finish(again) & (count_slots_.size() - 1);
            while (count_slots_[place] != no_id) place = (place + 1) & (count_slots_.size() - 1);
            count_slots_[place] = i;
            used_slots_.push_back(static_cast<std::uint32_t>(place));
        }
    }
}

// The code of an abstract state: the phantom's role, the number of roles, each role with its count, and each relation
// as predicate, arity, roles, value; roles and relations in ascending order.
void Abstraction::write_code() {
    code_.clear();
    std::erase_if(used_roles_, [&](auto role) { return role_sizes_[role] == 0; });
    std::ranges::sort(used_roles_);
    used_roles_.erase(std::unique(used_roles_.begin(), used_roles_.end()), used_roles_.end());
    code_.push_back(object_roles_[features_.object_count]);
    code_.push_back(static_cast<std::uint32_t>(used_roles_.size()));
    for (auto role : used_roles_) {
        code_.push_back(role);
        code_.push_back(std::min(2U, role_sizes_[role]));
    }
    order_.clear();
    for (std::uint32_t i = 0; i < counts_.size(); ++i)
        if (counts_[i].count > 0) order_.push_back(i);
    const auto roles = [&](std::uint32_t i) {
        return IndexSpan(relation_roles_).subspan(counts_[i].roles_begin, counts_[i].arity);
    };
    std::ranges::sort(order_, [&](auto a, auto b) {
        if (counts_[a].predicate != counts_[b].predicate) return counts_[a].predicate < counts_[b].predicate;
        return std::ranges::lexicographical_compare(roles(a), roles(b));
    });
    for (auto i : order_) {
        code_.push_back(counts_[i].predicate);
        code_.push_back(counts_[i].arity);
        std::uint64_t tuples = 1;
        for (auto role : roles(i)) {
            code_.push_back(role);
            tuples *= role_sizes_[role];
        }
        code_.push_back(counts_[i].count == tuples ? all_tuples : some_tuples);
    }
}

RoleId Abstraction::intern_role_words(const Word* words) {
    std::uint64_t hash = words_;
    for (std::uint32_t w = 0; w < words_; ++w) hash = hash_step(hash, words[w]);
    const auto mask = role_slots_.size() - 1;
    auto at = hash_finish(hash) & mask;
    for (; role_slots_[at] != no_id; at = (at + 1) & mask)
        if (std::equal(words, words + words_, role_words_.data() + std::size_t{role_slots_[at]} * words_))
            return role_slots_[at];
    const auto role = role_count();
    role_words_.insert(role_words_.end(), words, words + words_);
    role_slots_[at] = role;
    if (2 * std::size_t{role} > role_slots_.size()) {
        role_slots_.assign(2 * role_slots_.size(), no_id);
        for (RoleId each = 0; each <= role; ++each) {
            std::uint64_t again = words_;
            for (std::uint32_t w = 0; w < words_; ++w)
                again = hash_step(again, role_words_[std::size_t{each} * words_ + w]);
            auto place = hash_finish(again) & (role_slots_.size() - 1);
            while (role_slots_[place] != no_id) place = (place + 1) & (role_slots_.size() - 1);
            role_slots_[place] = each;
        }
    }
    return role;
}

AbstractId Abstraction::intern_code(const Indices& code) {
    const auto mask = state_slots_.size() - 1;
    auto at = hash_of(code) & mask;
    for (; state_slots_[at] != no_id; at = (at + 1) & mask)
        if (std::ranges::equal(states_[state_slots_[at]], code)) return state_slots_[at];
    const auto id = size();
    states_.values.insert(states_.values.end(), code.begin(), code.end());
    states_.close();
    state_slots_[at] = id;
    if (2 * std::size_t{id} > state_slots_.size()) {
        state_slots_.assign(2 * state_slots_.size(), no_id);
        for (AbstractId each = 0; each <= id; ++each) {
            auto place = hash_of(states_[each]) & (state_slots_.size() - 1);
            while (state_slots_[place] != no_id) place = (place + 1) & (state_slots_.size() - 1);
            state_slots_[place] = each;
        }
    }
    return id;
}

RoleId Abstraction::intern_role(const Indices& features) {
    std::vector<Word> words(words_, 0);
    for (auto feature : features) {
        if (feature >= features_.feature_count) throw InternalError("abstraction: unknown feature");
        set_bit(words.data(), feature);
    }
    return intern_role_words(words.data());
}

AbstractId Abstraction::intern(const AbstractState& state) {
    Indices ids;
    for (const auto& role : state.roles) ids.push_back(intern_role(role));
    Indices code{intern_role(state.phantom), static_cast<std::uint32_t>(ids.size())};
    std::vector<std::pair<RoleId, std::uint32_t>> counted;
    for (std::size_t i = 0; i < ids.size(); ++i) counted.emplace_back(ids[i], state.counts.at(i));
    std::ranges::sort(counted);
    for (const auto& [role, count] : counted) code.insert(code.end(), {role, count});
    std::vector<std::pair<Indices, bool>> relations;
    for (const auto& relation : state.relations) {
        Indices key{relation.predicate, static_cast<std::uint32_t>(relation.roles.size())};
        for (auto role : relation.roles) key.push_back(ids.at(role));
        relations.emplace_back(std::move(key), relation.all);
    }
    std::ranges::sort(relations);
    for (const auto& [key, all] : relations) {
        code.insert(code.end(), key.begin(), key.end());
        code.push_back(all ? all_tuples : some_tuples);
    }
    return intern_code(code);
}

Indices Abstraction::role_features(RoleId role) const {
    Indices features;
    for (std::uint32_t feature = 0; feature < features_.feature_count; ++feature)
        if (test_bit(role_words_.data() + std::size_t{role} * words_, feature)) features.push_back(feature);
    return features;
}

AbstractState Abstraction::spell_out(AbstractId id) const {
    const auto code = states_[id];
    AbstractState state;
    std::unordered_map<RoleId, std::uint32_t> place;
    state.phantom = role_features(code[0]);
    std::size_t at = 2;
    for (std::uint32_t i = 0; i < code[1]; ++i, at += 2) {
        place[code[at]] = i;
        state.roles.push_back(role_features(code[at]));
        state.counts.push_back(code[at + 1]);
    }
    while (at < code.size()) {
        AbstractState::Relation relation{code[at], {}, false};
        const auto arity = code[at + 1];
        for (std::uint32_t k = 0; k < arity; ++k) relation.roles.push_back(place.at(code[at + 2 + k]));
        relation.all = code[at + 2 + arity] == all_tuples;
        at += 3 + arity;
        state.relations.push_back(std::move(relation));
    }
    return state;
}

}  // namespace gpaplan
