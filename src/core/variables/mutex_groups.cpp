#include "variables/mutex_groups.hpp"

#include <optional>

#include "base/interner.hpp"
#include "variables/effect_places.hpp"

namespace gpaplan {

namespace {

bool contains(const Indices& values, std::uint32_t value) { return std::ranges::find(values, value) != values.end(); }

// A predicate's part in an invariant.
struct InvariantPart {
    std::uint32_t predicate;
    Indices places;  // of the parameters, in their order, among the arguments
    auto operator<=>(const InvariantPart&) const = default;
};
using Invariant = std::vector<InvariantPart>;  // by predicate

// The groups of one invariant while they are looked at.
struct Instances {
    Indices group_of;  // of each atom; none if it is in no group
    ListInterner keys;
    Ranges members;
    std::vector<std::uint8_t> bad;
};

class Synthesis {
public:
    Synthesis(const Task& task, Stop& stop) : task_(task), stop_(stop) {
        for (AtomId atom = 0; atom < task.atom_count(); ++atom) {
            const auto predicate = task.atom_predicates[atom];
            if (predicate >= atoms_of_.size()) atoms_of_.resize(predicate + 1);
            atoms_of_[predicate].push_back(atom);
        }
        find_adders();
    }

    MutexGroups run() {
        for (std::uint32_t predicate = 0; predicate < atoms_of_.size(); ++predicate)
            if (!atoms_of_[predicate].empty()) start_with(predicate);
        for (std::size_t i = 0; i < open_.size() && i < most_invariants; ++i) try_invariant(Invariant(open_[i]));
        return std::move(result_);
    }

private:
    struct Addition {
        AtomId atom;
        std::uint32_t group;
        EffectPlace place;
    };

    // An action and the predicates whose atoms it adds somewhere.
    void find_adders() {
        adders_.resize(atoms_of_.size());
        deleters_.resize(atoms_of_.size());
        const auto note = [&](ActionId action, IndexSpan atoms, std::vector<Indices>& lists) {
            for (auto atom : atoms) {
                auto& list = lists[task_.atom_predicates[atom]];
                if (list.empty() || list.back() != action) list.push_back(action);
            }
        };
        for (ActionId action = 0; action < task_.action_count(); ++action) {
            stop_.poll();
            for_each_place(task_, action, [&](const EffectPlace& place) {
                note(action, task_.adds[place.effect], adders_);
                note(action, task_.deletes[place.effect], deleters_);
            });
        }
    }

    void start_with(std::uint32_t predicate) {
        const auto arity = static_cast<std::uint32_t>(task_.atom_arguments[atoms_of_[predicate].front()].size());
        for (std::uint32_t counted = 0; counted <= arity; ++counted) {
            InvariantPart part{predicate, {}};
            for (std::uint32_t place = 0; place < arity; ++place)
                if (place != counted) part.places.push_back(place);
            open({part});
        }
    }

    void open(Invariant invariant) {
        std::ranges::sort(invariant);
        Indices code;
        for (const auto& part : invariant) {
            code.push_back(part.predicate);
            append(code, part.places);
            code.push_back(no_id);
        }
        if (const auto known = seen_.size(); seen_.intern(code) == known) open_.push_back(std::move(invariant));
    }

    void try_invariant(const Invariant& invariant) {
        auto instances = instantiate(invariant);
        std::optional<Addition> unbalanced;
        Indices actions;
        for (const auto& part : invariant) append(actions, adders_[part.predicate]);
        sort_unique(actions);
        for (auto action : actions) check(action, instances, unbalanced);
        keep(instances, invariant);
        if (unbalanced && invariant.size() < most_parts) refine(invariant, *unbalanced, instances);
    }

    Instances instantiate(const Invariant& invariant) {
        Instances instances;
        instances.group_of.assign(task_.atom_count(), no_id);
        Indices key;
        for (const auto& part : invariant) {
            for (auto atom : atoms_of_[part.predicate]) {
                stop_.poll();
                key.clear();
                for (auto place : part.places) key.push_back(task_.atom_arguments[atom][place]);
                instances.group_of[atom] = instances.keys.intern(key);
            }
        }
        std::vector<Indices> members(instances.keys.size());
        for (AtomId atom = 0; atom < task_.atom_count(); ++atom)
            if (instances.group_of[atom] != no_id) members[instances.group_of[atom]].push_back(atom);
        for (const auto& list : members) instances.members.add(list);
        Indices initially(instances.keys.size(), 0);
        for (auto atom : task_.initial_atoms)
            if (instances.group_of[atom] != no_id) ++initially[instances.group_of[atom]];
        for (auto count : initially) instances.bad.push_back(count > 1 ? 1 : 0);
        return instances;
    }

    void check(ActionId action, Instances& instances, std::optional<Addition>& unbalanced) {
        additions_.clear();
        for_each_place(task_, action, [&](const EffectPlace& place) {
            stop_.poll();
            for (auto atom : task_.adds[place.effect]) {
                const auto group = instances.group_of[atom];
                if (group != no_id && instances.bad[group] == 0) additions_.push_back({atom, group, place});
            }
        });
        for (std::size_t i = 0; i < additions_.size(); ++i) {
            const auto& addition = additions_[i];
            auto& bad = instances.bad[addition.group];
            if (bad != 0) continue;
            for (std::size_t j = 0; j < i && bad == 0; ++j) {
                stop_.poll();
                bad = are_compatible(additions_[j], addition, instances) ? 0 : 1;
            }
            if (bad != 0 || is_balanced(addition, instances)) continue;
            bad = 1;
            if (!unbalanced) unbalanced = addition;
        }
    }

    // Whether no other atom of the group holds after the addition, but for those that are added elsewhere.
    bool is_balanced(const Addition& addition, const Instances& instances) const {
        const auto& place = addition.place;
        const auto goes = [&](AtomId atom) { return atom == addition.atom || contains(place.deletes, atom); };
        AtomId before = no_id;  // the one that is known to hold
        for (auto literal : place.known) {
            if (is_negated(literal) || instances.group_of[atom_of(literal)] != addition.group) continue;
            if (before != no_id && before != atom_of(literal)) return true;  // two of them: that never happens
            before = atom_of(literal);
        }
        if (before != no_id) return goes(before);
        const auto members = instances.members[addition.group];
        if (members.size() > 1 + place.deletes.size() + place.known.size()) return false;
        return std::ranges::all_of(
            members, [&](auto atom) { return goes(atom) || contains(place.known, make_literal(atom, true)); });
    }

    // Whether two additions of an action are of different groups or the same atom, or never happen together.
    bool are_compatible(const Addition& a, const Addition& b, const Instances& instances) const {
        if (a.group != b.group || a.atom == b.atom) return true;
        for (const auto [factor, outcome] : pairs(a.place.choices))
            for (const auto [other_factor, other] : pairs(b.place.choices))
                if (factor == other_factor && outcome != other) return true;
        for (auto literal : a.place.known) {
            if (contains(b.place.known, literal ^ 1U)) return true;
            if (is_negated(literal) || instances.group_of[atom_of(literal)] != a.group) continue;
            for (auto other : b.place.known)
                if (!is_negated(other) && other != literal && instances.group_of[atom_of(other)] == a.group)
                    return true;
        }
        return false;
    }

    // The invariant with one predicate more, an atom of which is taken away by what was not balanced.
    void refine(const Invariant& invariant, const Addition& addition, const Instances& instances) {
        const auto key = instances.keys[addition.group];
        for (auto literal : addition.place.known) {
            const auto atom = atom_of(literal);
            if (is_negated(literal) || !contains(addition.place.deletes, atom)) continue;
            const auto predicate = task_.atom_predicates[atom];
            const auto arguments = task_.atom_arguments[atom];
            if (std::ranges::any_of(invariant, [&](const InvariantPart& part) { return part.predicate == predicate; }))
                continue;
            if (arguments.size() < key.size() || arguments.size() > key.size() + 1) continue;
            Indices places;
            assign(invariant, predicate, key, arguments, places);
        }
    }

    // All ways to see the parameters among the arguments of an atom.
    void assign(const Invariant& invariant, std::uint32_t predicate, IndexSpan key, IndexSpan arguments,
                Indices& places) {
        if (places.size() == key.size()) {
            auto larger = invariant;
            larger.push_back({predicate, places});
            open(std::move(larger));
            return;
        }
        for (std::uint32_t place = 0; place < arguments.size(); ++place) {
            if (arguments[place] != key[places.size()] || contains(places, place)) continue;
            places.push_back(place);
            assign(invariant, predicate, key, arguments, places);
            places.pop_back();
        }
    }

    // Keeps the groups that hold and were not known.
    void keep(const Instances& instances, const Invariant& invariant) {
        std::vector<std::uint8_t> one(instances.bad.size(), 0);
        for (auto atom : task_.initial_atoms)
            if (instances.group_of[atom] != no_id) one[instances.group_of[atom]] = 1;
        Indices actions;
        for (const auto& part : invariant) append(actions, deleters_[part.predicate]);
        sort_unique(actions);
        for (auto action : actions) note_losses(action, instances, one);
        bool is_new_invariant = false;
        for (std::uint32_t group = 0; group < instances.bad.size(); ++group) {
            const auto members = instances.members[group];
            if (instances.bad[group] != 0 || members.size() < 2) continue;
            if (const auto known = kept_.size(); kept_.intern(members) != known) continue;
            result_.atoms.add(members);
            result_.objects.add(instances.keys[group]);
            result_.invariants.push_back(invariants_);
            result_.always_one.push_back(one[group]);
            is_new_invariant = true;
        }
        if (is_new_invariant) ++invariants_;
    }

    // An atom of a group may be deleted without another one being added: the group may have none.
    void note_losses(ActionId action, const Instances& instances, std::vector<std::uint8_t>& one) const {
        for_each_place(task_, action, [&](const EffectPlace& place) {
            stop_.poll();
            for (auto atom : task_.deletes[place.effect]) {
                const auto group = instances.group_of[atom];
                if (group == no_id || one[group] == 0) continue;
                if (!std::ranges::any_of(place.around, [&](auto e) { return surely_adds(e, group, instances); }))
                    one[group] = 0;
            }
        });
    }

    bool surely_adds(std::uint32_t effect, std::uint32_t group, const Instances& instances) const {
        if (std::ranges::any_of(task_.adds[effect], [&](auto atom) { return instances.group_of[atom] == group; }))
            return true;
        return std::ranges::any_of(task_.factors[effect], [&](auto factor) {
            return std::ranges::all_of(pairs(task_.outcomes[factor]), [&](const auto& outcome) {
                return surely_adds(outcome.second, group, instances);
            });
        });
    }

    static constexpr std::size_t most_invariants = 500;  // that are tried
    static constexpr std::size_t most_parts = 8;         // predicates of an invariant

    const Task& task_;
    Stop& stop_;
    std::vector<Indices> atoms_of_;  // each predicate
    std::vector<Indices> adders_;    // of atoms of each predicate: actions
    std::vector<Indices> deleters_;  // likewise
    std::vector<Invariant> open_;
    ListInterner seen_;
    ListInterner kept_;
    std::uint32_t invariants_ = 0;
    MutexGroups result_;
    std::vector<Addition> additions_;
};

}  // namespace

MutexGroups find_mutex_groups(const Task& task, Stop& stop) { return Synthesis(task, stop).run(); }

}  // namespace gpaplan
