// Canonical abstraction of a state from that of the state evaluated last, if few atoms differ.
//
// 1. The atoms that changed touch features of objects. A feature that only one literal gives follows it; of one with
//    several sources, these are looked at again.
// 2. Objects whose set of features changed have moved to another role. The relations that count them, and the changed
//    atoms of arity two and more, are affected: they leave the counts under the old roles and enter them under the new.
//
// If the objects that moved stand in most relations (a room that the robot left), all relations are counted anew.

#include <algorithm>
#include <bit>

#include "automata/abstraction.hpp"

namespace gpaplan {

namespace {

constexpr std::size_t most_changes = 64;  // atoms
constexpr std::uint32_t most_empty = 32;  // counts that are kept though nothing is left to count

}  // namespace

void Abstraction::index_changes() {
    struct Entry {
        std::uint32_t object, feature;
        Literal source;
        auto operator<=>(const Entry&) const = default;
    };
    std::vector<Entry> entries;
    const auto add = [&](AtomId atom, bool negated, std::uint32_t object, std::uint32_t feature) {
        if (!test_bit(static_roles_.data() + std::size_t{object} * words_, feature))
            entries.push_back({object, feature, make_literal(atom, negated)});
    };
    for (AtomId atom = 0; atom < task_.atom_count(); ++atom) {
        const auto given = features_.when_true[atom];
        for (std::size_t k = 0; k < given.size(); k += 2) add(atom, false, given[k], given[k + 1]);
    }
    const auto& absent = features_.when_false;
    for (std::size_t k = 0; k < absent.size(); k += 3) add(absent[k], true, absent[k + 1], absent[k + 2]);
    std::ranges::sort(entries);

    std::vector<std::pair<AtomId, Gift>> gifts;
    for (std::size_t first = 0, end = 0; first < entries.size(); first = end) {
        const auto& [object, feature, source] = entries[first];
        for (end = first; end < entries.size() && entries[end].object == object && entries[end].feature == feature;)
            ++end;
        const bool is_single = end - first == 1;
        const auto where = is_single ? source : static_cast<std::uint32_t>(sources_.size());
        for (auto i = first; i < end; ++i) {
            gifts.emplace_back(atom_of(entries[i].source), Gift{object, feature, where, is_single});
            if (!is_single) sources_.values.push_back(entries[i].source);
        }
        if (!is_single) sources_.close();
    }
    std::ranges::stable_sort(gifts, {}, [](const auto& pair) { return pair.first; });
    gifts_begin_.assign(task_.atom_count() + std::size_t{1}, 0);
    for (const auto& [atom, gift] : gifts) {
        ++gifts_begin_[atom + 1];
        gifts_.push_back(gift);
    }
    for (AtomId atom = 0; atom < task_.atom_count(); ++atom) gifts_begin_[atom + 1] += gifts_begin_[atom];

    std::vector<Indices> fluent(features_.object_count), fixed(features_.object_count);
    const auto enter = [](std::vector<Indices>& lists, IndexSpan arguments, std::uint32_t atom) {
        for (auto object : arguments)
            if (lists[object].empty() || lists[object].back() != atom) lists[object].push_back(atom);
    };
    for (AtomId atom = 0; atom < task_.atom_count(); ++atom)
        if (test_bit(relation_mask_.data(), atom)) enter(fluent, task_.atom_arguments[atom], atom);
    for (auto atom : static_relations_) enter(fixed, task_.static_arguments[atom], atom);
    const auto flatten = [](const std::vector<Indices>& lists, Ranges& ranges) {
        for (const auto& list : lists) {
            ranges.values.insert(ranges.values.end(), list.begin(), list.end());
            ranges.close();
        }
    };
    flatten(fluent, relations_of_);
    flatten(fixed, static_relations_of_);
    marks_.assign(task_.atom_count() + task_.static_predicates.size(), 0);
}

// The atoms that differ from the state evaluated last; false if there is none, or too many differ.
bool Abstraction::find_changes(const Word* state) {
    changed_.clear();
    if (last_.empty() || empty_counts_ > most_empty) return false;
    for (std::uint32_t w = 0; w < task_.word_count(); ++w) {
        for (auto bits = state[w] ^ last_[w]; bits != 0; bits &= bits - 1) {
            if (changed_.size() == most_changes) return false;
            changed_.push_back(64 * w + static_cast<std::uint32_t>(std::countr_zero(bits)));
        }
    }
    return true;
}

void Abstraction::update(const Word* state) {
    find_moved(state);
    std::size_t work = changed_.size();
    for (std::size_t i = 0; i < moved_.size(); i += 2) {
        if (moved_[i] == features_.object_count) continue;
        work += relations_of_[moved_[i]].size() + static_relations_of_[moved_[i]].size();
    }
    if (2 * work > relations_of_.values.size() / 2 + static_relations_.size()) {
        move_objects();
        count_relations(state);
        return;
    }
    find_affected();
    const auto fluent = task_.atom_count();
    const auto count = [&](const Word* bits, bool more) {
        for (auto atom : affected_) {
            if (atom >= fluent)
                count_atom(task_.static_predicates[atom - fluent], task_.static_arguments[atom - fluent], more);
            else if (test_bit(bits, atom))
                count_atom(task_.atom_predicates[atom], task_.atom_arguments[atom], more);
        }
    };
    count(last_.data(), false);
    move_objects();
    count(state, true);
}

// Brings the features of objects up to date, and collects the objects that have another role now.
void Abstraction::find_moved(const Word* state) {
    touched_.clear();
    const auto holds = [&](Literal literal) { return test_bit(state, atom_of(literal)) != is_negated(literal); };
    for (auto atom : changed_) {
        for (auto i = gifts_begin_[atom]; i < gifts_begin_[atom + 1]; ++i) {
            const auto& gift = gifts_[i];
            const bool has = gift.is_single ? holds(gift.source) : std::ranges::any_of(sources_[gift.source], holds);
            Word* words = object_words_.data() + std::size_t{gift.object} * words_;
            if (test_bit(words, gift.feature) == has) continue;
            (has ? set_bit : clear_bit)(words, gift.feature);
            touched_.push_back(gift.object);
        }
    }
    std::ranges::sort(touched_);
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    moved_.clear();
    for (auto object : touched_) {
        const auto role = intern_role_words(object_words_.data() + std::size_t{object} * words_);
        if (role != object_roles_[object]) moved_.insert(moved_.end(), {object, role});
    }
}

// Collects the relations that must be counted again, each once.
void Abstraction::find_affected() {
    affected_.clear();
    if (++round_ == 0) {
        std::ranges::fill(marks_, 0);
        round_ = 1;
    }
    const auto add = [&](std::uint32_t atom) {
        if (marks_[atom] == round_) return;
        marks_[atom] = round_;
        affected_.push_back(atom);
    };
    for (auto atom : changed_)
        if (test_bit(relation_mask_.data(), atom)) add(atom);
    for (std::size_t i = 0; i < moved_.size(); i += 2) {
        if (moved_[i] == features_.object_count) continue;
        for (auto atom : relations_of_[moved_[i]]) add(atom);
        for (auto atom : static_relations_of_[moved_[i]]) add(task_.atom_count() + atom);
    }
}

void Abstraction::move_objects() {
    for (std::size_t i = 0; i < moved_.size(); i += 2) {
        const auto object = moved_[i], role = moved_[i + 1];
        if (object != features_.object_count) {  // the phantom is not counted
            --role_sizes_[object_roles_[object]];
            if (role >= role_sizes_.size()) role_sizes_.resize(role + 1, 0);
            if (role_sizes_[role]++ == 0) used_roles_.push_back(role);
        }
        object_roles_[object] = role;
    }
}

}  // namespace gpaplan
