#include "automata/roles.hpp"

#include <algorithm>

namespace gpaplan {

namespace {

void sort_and_merge(Indices& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

std::vector<Word> static_words(const Features& features, std::uint32_t words) {
    std::vector<Word> result((features.object_count + std::size_t{1}) * words, 0);
    for (std::size_t object = 0; object <= features.object_count; ++object)
        for (auto feature : features.of_object[object]) set_bit(result.data() + object * words, feature);
    return result;
}

}  // namespace

RoleTable::RoleTable(std::uint32_t feature_count)
    : feature_count_(feature_count), words_(std::max(1U, (feature_count + 63) / 64)), roles_(words_) {}

RoleId RoleTable::intern(const Indices& features) {
    std::vector<Word> words(words_, 0);
    for (auto feature : features) {
        if (feature >= feature_count_) throw InternalError("abstraction: unknown feature");
        set_bit(words.data(), feature);
    }
    return intern(words.data());
}

GiftIndex::GiftIndex(const Task& task, const Features& features, const std::vector<Word>& static_words,
                     std::uint32_t words) {
    struct Entry {
        std::uint32_t object, feature;
        Literal source;
        auto operator<=>(const Entry&) const = default;
    };
    std::vector<Entry> entries;
    const auto add = [&](AtomId atom, bool negated, std::uint32_t object, std::uint32_t feature) {
        if (!test_bit(static_words.data() + std::size_t{object} * words, feature))
            entries.push_back({object, feature, make_literal(atom, negated)});
    };
    for (AtomId atom = 0; atom < task.atom_count(); ++atom) {
        const auto given = features.when_true[atom];
        for (std::size_t k = 0; k < given.size(); k += 2) add(atom, false, given[k], given[k + 1]);
    }
    const auto& absent = features.when_false;
    for (std::size_t k = 0; k < absent.size(); k += 3) add(absent[k], true, absent[k + 1], absent[k + 2]);
    std::ranges::sort(entries);

    std::vector<std::pair<AtomId, Gift>> by_atom;
    for (std::size_t first = 0, end = 0; first < entries.size(); first = end) {
        const auto& [object, feature, source] = entries[first];
        for (end = first; end < entries.size() && entries[end].object == object && entries[end].feature == feature;)
            ++end;
        const bool is_single = end - first == 1;
        const auto where = is_single ? source : static_cast<std::uint32_t>(sources.size());
        for (auto i = first; i < end; ++i) {
            by_atom.emplace_back(atom_of(entries[i].source), Gift{object, feature, where, is_single});
            if (!is_single) sources.values.push_back(entries[i].source);
        }
        if (!is_single) sources.close();
    }
    std::ranges::stable_sort(by_atom, {}, [](const auto& pair) { return pair.first; });
    begin.assign(task.atom_count() + std::size_t{1}, 0);
    for (const auto& [atom, gift] : by_atom) {
        ++begin[atom + 1];
        gifts.push_back(gift);
    }
    for (AtomId atom = 0; atom < task.atom_count(); ++atom) begin[atom + 1] += begin[atom];
}

ObjectRoles::ObjectRoles(const Task& task, const Features& features)
    : task_(task),
      object_count_(features.object_count),
      table_(features.feature_count),
      static_words_(static_words(features, table_.words())),
      gifts_(task, features, static_words_, table_.words()),
      given_when_false_(features.when_false),
      given_when_true_(features.when_true),
      roles_(features.object_count + std::size_t{1}, no_id) {}

void ObjectRoles::find(const Word* state) {
    words_ = static_words_;
    for_each_bit(state, task_.word_count(), [&](AtomId atom) {
        const auto given = given_when_true_[atom];
        for (std::size_t k = 0; k < given.size(); k += 2) set_bit(words_of(given[k]), given[k + 1]);
    });
    const auto& absent = given_when_false_;
    for (std::size_t k = 0; k < absent.size(); k += 3)
        if (!test_bit(state, absent[k])) set_bit(words_of(absent[k + 1]), absent[k + 2]);

    for (auto role : used_) sizes_[role] = 0;
    used_.clear();
    for (std::uint32_t object = 0; object <= object_count_; ++object) {
        roles_[object] = table_.intern(words_of(object));
        if (object != phantom()) count(roles_[object]);
    }
}

void ObjectRoles::count(RoleId role) {
    if (role >= sizes_.size()) sizes_.resize(role + std::size_t{1}, 0);
    if (sizes_[role]++ == 0) used_.push_back(role);
}

const std::vector<Moved>& ObjectRoles::find_moved(const Word* state, const Indices& changed) {
    touched_.clear();
    const auto holds = [&](Literal literal) { return test_bit(state, atom_of(literal)) != is_negated(literal); };
    for (auto atom : changed) {
        for (const auto& gift : gifts_.of(atom)) {
            const bool has =
                gift.is_single ? holds(gift.source) : std::ranges::any_of(gifts_.sources[gift.source], holds);
            if (test_bit(words_of(gift.object), gift.feature) == has) continue;
            (has ? set_bit : clear_bit)(words_of(gift.object), gift.feature);
            touched_.push_back(gift.object);
        }
    }
    sort_and_merge(touched_);
    moved_.clear();
    for (auto object : touched_)
        if (const auto role = table_.intern(words_of(object)); role != roles_[object]) moved_.push_back({object, role});
    return moved_;
}

void ObjectRoles::move() {
    for (const auto& [object, role] : moved_) {
        if (object != phantom()) {
            --sizes_[roles_[object]];
            count(role);
        }
        roles_[object] = role;
    }
}

const Indices& ObjectRoles::used() {
    std::erase_if(used_, [&](auto role) { return sizes_[role] == 0; });
    sort_and_merge(used_);
    return used_;
}

}  // namespace gpaplan
