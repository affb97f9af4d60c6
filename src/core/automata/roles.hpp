// Roles: the sets of features that objects have, and which object has which role in a state.
//
// A feature of an object may be static, or given by literals: by an atom that holds, or by one that does not. When few
// atoms change, as they do between a state and its successors, only the features that these atoms give are looked at
// again, and the objects whose set of features is another one now have *moved* to another role.
#pragma once

#include "base/interner.hpp"
#include "task/task.hpp"

namespace gpaplan {

using RoleId = std::uint32_t;

// What the front end knows of features. Objects are numbered as in the task; object `object_count` is the phantom, to
// which predicates without arguments belong.
struct Features {
    std::uint32_t object_count = 0;
    std::uint32_t feature_count = 0;
    Ranges of_object;    // the static features of each object, the phantom last
    Ranges when_true;    // of each fluent atom: pairs (object, feature) that it gives when it holds
    Indices when_false;  // triples (atom, object, feature): given when the atom does not hold
};

// The static features of each object.
inline std::vector<Word> static_words(const Features& features, std::uint32_t words) {
    std::vector<Word> result((features.object_count + std::size_t{1}) * words, 0);
    for (std::size_t object = 0; object <= features.object_count; ++object)
        for (auto feature : features.of_object[object]) set_bit(result.data() + object * words, feature);
    return result;
}

// Roles by id; equal sets of features have equal ids.
class RoleTable {
public:
    RoleTable(std::uint32_t feature_count)
        : feature_count_(feature_count), words_(std::max(1U, (feature_count + 63) / 64)), roles_(words_) {}

    std::uint32_t size() const { return roles_.size(); }
    std::uint32_t words() const { return words_; }  // of a set of features
    RoleId intern(const Word* features) { return roles_.intern(features); }
    // throws InternalError for an unknown feature
    RoleId intern(const Indices& features) {
        std::vector<Word> words(words_, 0);
        for (auto feature : features) {
            if (feature >= feature_count_) throw InternalError("abstraction: unknown feature");
            set_bit(words.data(), feature);
        }
        return intern(words.data());
    }

    Indices features(RoleId role) const { return bits_set(roles_[role], words_); }

private:
    std::uint32_t feature_count_;
    std::uint32_t words_;
    WordInterner roles_;
};

// A feature of an object that an atom may give.
struct Gift {
    std::uint32_t object;
    std::uint32_t feature;
    std::uint32_t source;  // the literal that gives it if that is the only one, else an index into `sources`
    bool is_single;
};

// Which features change with which atoms; fixed for a task.
struct GiftIndex {
    GiftIndex(const Task& task, const Features& features, const std::vector<Word>& static_words, std::uint32_t words) {
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

    std::span<const Gift> of(AtomId atom) const { return {gifts.data() + begin[atom], gifts.data() + begin[atom + 1]}; }

    std::vector<Gift> gifts;
    Indices begin;   // of each atom
    Ranges sources;  // of each feature of an object with several sources: the literals that give it
};

// An object that has another role than before.
struct Moved {
    std::uint32_t object;
    RoleId role;
};

// The roles of the objects in one state.
class ObjectRoles {
public:
    ObjectRoles(const Task& task, const Features& features)
        : object_count_(features.object_count),
          table_(features.feature_count),
          words_(static_words(features, table_.words())),
          gifts_(task, features, words_, table_.words()),
          roles_(features.object_count + std::size_t{1}, no_id) {
        const auto& absent = features.when_false;
        for (std::size_t k = 0; k < absent.size(); k += 3) set_bit(words_of(absent[k + 1]), absent[k + 2]);
    }

    // Brings the features up to date in a state that differs in these atoms from the one before, at first one without
    // any; the objects that have another role now keep the old one, at first none, until `move`.
    const std::vector<Moved>& find_moved(const Word* state, const Indices& changed) {
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
        if (roles_.front() == no_id)  // the first state
            for (std::uint32_t object = 0; object <= phantom(); ++object) touched_.push_back(object);
        sort_unique(touched_);
        moved_.clear();
        for (auto object : touched_)
            if (const auto role = table_.intern(words_of(object)); role != roles_[object])
                moved_.push_back({object, role});
        return moved_;
    }

    void move() {
        for (const auto& [object, role] : moved_) {
            if (object != phantom()) {
                if (roles_[object] != no_id) --sizes_[roles_[object]];
                count(role);
            }
            roles_[object] = role;
        }
    }

    RoleId operator[](std::uint32_t object) const { return roles_[object]; }
    const Indices& of_objects() const { return roles_; }  // the phantom last
    std::uint32_t phantom() const { return object_count_; }
    std::uint32_t size(RoleId role) const { return sizes_[role]; }  // number of objects, the phantom not counted
    // the roles of objects, ascending
    const Indices& used() {
        std::erase_if(used_, [&](auto role) { return sizes_[role] == 0; });
        sort_unique(used_);
        return used_;
    }

    RoleTable& table() { return table_; }
    const RoleTable& table() const { return table_; }

private:
    Word* words_of(std::uint32_t object) { return words_.data() + std::size_t{object} * table_.words(); }
    void count(RoleId role) {
        if (at_grown(sizes_, role, 0U)++ == 0) used_.push_back(role);
    }

    std::uint32_t object_count_;
    RoleTable table_;
    std::vector<Word> words_;  // of each object: its features
    GiftIndex gifts_;
    Indices roles_;  // of each object
    Indices sizes_;  // of each role
    Indices used_;   // roles with objects, and perhaps others; no order
    Indices touched_;
    std::vector<Moved> moved_;
};

}  // namespace gpaplan
