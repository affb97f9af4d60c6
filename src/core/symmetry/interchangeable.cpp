#include <algorithm>
#include <bit>
#include <utility>

#include "base/hash.hpp"
#include "symmetry/symmetry.hpp"

namespace gpaplan {

namespace {

using Hash = std::uint64_t;

constexpr Hash seed = 0x9e3779b97f4a7c15U;

// The tag is mixed in before the value: a sum or difference of the two must not mean the same as others.
Hash mix(Hash tag, Hash value) { return hash_finish(hash_step(hash_step(seed, tag), value)); }

// What the hash of a part begins with.
enum Tag : Hash { literal_tag = 1, disjunction_tag, option_tag, add_tag, delete_tag, conditional_tag, factor_tag };
constexpr Hash outcome_tag = 8, cost_tag = 9, item_tag = 10;

// Lists of indices for each object, ascending.
class Occurrences {
public:
    explicit Occurrences(std::size_t objects) : lists_(objects) {}
    void add(std::uint32_t object, std::uint64_t what) {
        auto& list = lists_[object];
        if (list.empty() || list.back() != what) list.push_back(what);
    }

    // Visits what is listed for one of two objects, each thing once.
    template <typename Visit>
    void for_either(std::uint32_t a, std::uint32_t b, Visit visit) const {
        auto x = lists_[a].begin();
        auto y = lists_[b].begin();
        while (x != lists_[a].end() || y != lists_[b].end()) {
            if (y == lists_[b].end() || (x != lists_[a].end() && *x < *y)) {
                visit(*x++);
            } else {
                if (x != lists_[a].end() && *x == *y) ++x;
                visit(*y++);
            }
        }
    }

private:
    std::vector<std::vector<std::uint64_t>> lists_;
};

// Hashes of the parts of a task, in which two objects may stand for each other.
class PartHash {
public:
    explicit PartHash(const Task& task)
        : task_(task), conditions_(task.literals.size()), effects_(task.effect_costs.size()) {
        for (AtomId each = 0; each < task.atom_count(); ++each)
            atoms_.push_back(name(task.atom_predicates[each], task.atom_arguments[each]));
        for (ActionId each = 0; each < task.action_count(); ++each)
            actions_.push_back(name(task.action_schemas[each], task.action_arguments[each]));
    }

    // From now on, hashes are those of the images under the swap of two objects.
    void swap(std::uint32_t a, std::uint32_t b) {
        a_ = a;
        b_ = b;
        ++epoch_;
    }

    Hash name(Hash symbol, IndexSpan arguments) const {
        Hash hash = hash_step(seed, symbol);
        for (auto object : arguments) hash = hash_step(hash, object == a_ ? b_ : object == b_ ? a_ : object);
        return hash_finish(hash);
    }
    Hash atom(AtomId atom) const {
        const auto arguments = task_.atom_arguments[atom];
        return mentions_either(arguments) ? name(task_.atom_predicates[atom], arguments) : atoms_[atom];
    }
    Hash action(ActionId action) const {
        const auto arguments = task_.action_arguments[action];
        return mentions_either(arguments) ? name(task_.action_schemas[action], arguments) : actions_[action];
    }
    Hash literal(Literal literal) const {
        return mix(literal_tag, atom(atom_of(literal)) + (is_negated(literal) ? 1U : 0U));
    }
    Hash disjunction(std::uint32_t disjunction) {
        Hash sum = 0;
        for (auto option : task_.disjunctions[disjunction]) sum += mix(option_tag, condition(option));
        return mix(disjunction_tag, sum);
    }
    Hash condition(std::uint32_t condition) {
        auto& known = conditions_[condition];
        if (known.epoch == epoch_) return known.hash;
        Hash sum = seed;
        for (auto each : task_.literals[condition]) sum += literal(each);
        for (auto each : task_.condition_disjunctions[condition]) sum += disjunction(each);
        conditions_[condition] = {epoch_, sum};
        return sum;
    }
    Hash cost(std::uint32_t effect) const { return mix(cost_tag, std::bit_cast<Hash>(task_.effect_costs[effect])); }
    Hash add(AtomId each) const { return mix(add_tag, atom(each)); }
    Hash remove(AtomId each) const { return mix(delete_tag, atom(each)); }
    Hash conditional(std::uint32_t condition_id, std::uint32_t effect_id) {
        return mix(conditional_tag, hash_step(condition(condition_id), effect(effect_id)));
    }
    Hash factor(std::uint32_t factor) {
        Hash sum = 0;
        const auto outcomes = task_.outcomes[factor];
        for (std::size_t k = 0; k < outcomes.size(); k += 2) {
            const auto probability = std::bit_cast<Hash>(task_.probabilities[outcomes[k]]);
            sum += mix(outcome_tag, hash_step(hash_step(seed, probability), effect(outcomes[k + 1])));
        }
        return mix(factor_tag, sum);
    }
    Hash effect(std::uint32_t effect) {
        auto& known = effects_[effect];
        if (known.epoch == epoch_) return known.hash;
        Hash sum = cost(effect);
        for (auto each : task_.adds[effect]) sum += add(each);
        for (auto each : task_.deletes[effect]) sum += remove(each);
        const auto conditionals = task_.conditionals[effect];
        for (std::size_t k = 0; k < conditionals.size(); k += 2)
            sum += conditional(conditionals[k], conditionals[k + 1]);
        for (auto each : task_.factors[effect]) sum += factor(each);
        effects_[effect] = {epoch_, sum};
        return sum;
    }

private:
    bool mentions_either(IndexSpan arguments) const {
        for (auto object : arguments)
            if (object == a_ || object == b_) return true;
        return false;
    }

    struct Known {
        std::uint64_t epoch = 0;
        Hash hash = 0;
    };
    const Task& task_;
    std::vector<Hash> atoms_;    // by their own names
    std::vector<Hash> actions_;  // by their own names
    std::uint32_t a_ = no_id;
    std::uint32_t b_ = no_id;
    std::uint64_t epoch_ = 1;
    std::vector<Known> conditions_;
    std::vector<Known> effects_;
};

// The parts of an action, numbered: 0 is its name and cost, then come the parts of its precondition and of its effect.
class ActionParts {
public:
    explicit ActionParts(const Task& task) : task_(task) {}

    std::uint32_t count(ActionId action) const {
        const auto condition = task_.preconditions[action];
        const auto effect = task_.effects[action];
        return static_cast<std::uint32_t>(1 + task_.literals[condition].size() +
                                          task_.condition_disjunctions[condition].size() + task_.adds[effect].size() +
                                          task_.deletes[effect].size() + task_.conditionals[effect].size() / 2 +
                                          task_.factors[effect].size());
    }

    Hash hash(PartHash& hashes, ActionId action, std::uint32_t part) const {
        return mix(item_tag, hash_step(hashes.action(action), visit(action, part, hashes)));
    }

    template <typename Found>
    void for_each_atom(ActionId action, std::uint32_t part, Found found) const {
        visit(action, part, AtomsOf<Found>{task_, found});
    }

    // Visits the atoms of a condition.
    template <typename Found>
    void for_each_literal(std::uint32_t condition, Found found) const {
        AtomsOf<Found>{task_, found}.condition(condition);
    }

private:
    template <typename Found>
    struct AtomsOf {
        const Task& task;
        Found& found;
        Hash cost(std::uint32_t) const { return 0; }
        Hash literal(Literal each) const { return found(atom_of(each), is_negated(each)), 0; }
        Hash add(AtomId each) const { return found(each, false), 0; }
        Hash remove(AtomId each) const { return found(each, true), 0; }
        Hash disjunction(std::uint32_t each) const {
            for (auto option : task.disjunctions[each]) condition(option);
            return 0;
        }
        void condition(std::uint32_t condition) const {
            for (auto each : task.literals[condition]) literal(each);
            for (auto each : task.condition_disjunctions[condition]) disjunction(each);
        }
        Hash conditional(std::uint32_t condition_id, std::uint32_t effect_id) const {
            condition(condition_id);
            effect(effect_id);
            return 0;
        }
        Hash factor(std::uint32_t each) const {
            const auto outcomes = task.outcomes[each];
            for (std::size_t k = 1; k < outcomes.size(); k += 2) effect(outcomes[k]);
            return 0;
        }
        void effect(std::uint32_t effect) const {
            for (auto each : task.adds[effect]) add(each);
            for (auto each : task.deletes[effect]) remove(each);
            const auto conditionals = task.conditionals[effect];
            for (std::size_t k = 0; k < conditionals.size(); k += 2) conditional(conditionals[k], conditionals[k + 1]);
            for (auto each : task.factors[effect]) factor(each);
        }
    };

    template <typename Visitor>
    Hash visit(ActionId action, std::uint32_t part, Visitor&& visitor) const {
        const auto condition = task_.preconditions[action];
        const auto effect = task_.effects[action];
        if (part == 0) return visitor.cost(effect);
        std::size_t k = part - 1;
        const auto within = [&](IndexSpan list, std::size_t width = 1) {
            if (k < list.size() / width) return true;
            k -= list.size() / width;
            return false;
        };
        if (const auto list = task_.literals[condition]; within(list)) return visitor.literal(list[k]);
        if (const auto list = task_.condition_disjunctions[condition]; within(list))
            return visitor.disjunction(list[k]);
        if (const auto list = task_.adds[effect]; within(list)) return visitor.add(list[k]);
        if (const auto list = task_.deletes[effect]; within(list)) return visitor.remove(list[k]);
        const auto conditionals = task_.conditionals[effect];
        if (within(conditionals, 2)) return visitor.conditional(conditionals[2 * k], conditionals[2 * k + 1]);
        return visitor.factor(task_.factors[effect][k]);
    }

    const Task& task_;
};

class ClassFinder {
public:
    ClassFinder(const Task& task, const Indices& kinds, Stop& stop)
        : task_(task), kinds_(kinds), stop_(stop), parts_(task), colours_(kinds.size(), 0), used_(kinds.size(), 0) {}

    std::vector<Indices> run() {
        colour();
        const auto groups = group();
        if (groups.empty()) return {};
        index(groups);
        PartHash plain(task_);
        PartHash swapped(task_);
        plain_ = &plain;
        swapped_ = &swapped;
        failures_left_ = 10'000 + 4 * (std::uint64_t{task_.atom_count()} + task_.action_count());
        std::vector<Indices> classes;
        for (const auto& objects : groups) divide(objects, classes);
        std::erase_if(classes, [](const auto& objects) { return objects.size() < 2; });
        std::ranges::sort(classes);
        return classes;
    }

private:
    // --- colours ---

    void colour() {
        for (std::size_t object = 0; object < kinds_.size(); ++object)
            colours_[object] = kinds_[object] == no_id ? mix(1, object) : mix(2, kinds_[object]);
        std::vector<Hash> next;
        for (int round = 0; round < 3; ++round) {
            next = colours_;
            const auto look = [&](Hash symbol, IndexSpan arguments) {
                stop_.poll();
                Hash whole = hash_step(seed, symbol);
                for (auto object : arguments) whole = hash_step(whole, colours_[object]);
                for (std::size_t i = 0; i < arguments.size(); ++i) next[arguments[i]] += mix(i, whole);
            };
            for (std::size_t i = 0; i < task_.static_predicates.size(); ++i)
                look(4 * Hash{task_.static_predicates[i]}, task_.static_arguments[i]);
            for (AtomId atom = 0; atom < task_.atom_count(); ++atom)
                look(4 * Hash{task_.atom_predicates[atom]} + 1, task_.atom_arguments[atom]);
            const auto goal_atom = [&](AtomId atom, bool negated) {
                look((8 * Hash{task_.atom_predicates[atom]} + (negated ? 4 : 0)) + 2, task_.atom_arguments[atom]);
            };
            parts_.for_each_literal(task_.goal, goal_atom);
            if (round == 0)
                for (ActionId action = 0; action < task_.action_count(); ++action)
                    look(4 * Hash{task_.action_schemas[action]} + 3, task_.action_arguments[action]);
            for (auto& each : next) each = mix(round, each);
            colours_.swap(next);
        }
        for (auto object : task_.atom_arguments.values) used_[object] = 1;
        for (auto object : task_.action_arguments.values) used_[object] = 1;
    }

    // The objects of equal colour, at least two, that may be interchangeable.
    std::vector<Indices> group() const {
        Indices objects;
        for (std::uint32_t object = 0; object < kinds_.size(); ++object)
            if (kinds_[object] != no_id && used_[object] != 0) objects.push_back(object);
        std::ranges::stable_sort(objects, {}, [&](auto object) { return colours_[object]; });
        std::vector<Indices> groups;
        for (std::size_t begin = 0, end = 0; begin < objects.size(); begin = end) {
            while (end < objects.size() && colours_[objects[end]] == colours_[objects[begin]]) ++end;
            if (end - begin >= 2) groups.emplace_back(objects.begin() + begin, objects.begin() + end);
        }
        std::ranges::sort(groups);
        return groups;
    }

    // --- what mentions an object ---

    void index(const std::vector<Indices>& groups) {
        std::vector<std::uint8_t> candidate(kinds_.size(), 0);
        for (const auto& objects : groups)
            for (auto object : objects) candidate[object] = 1;
        const auto add = [&](Occurrences& occurrences, IndexSpan objects, std::uint64_t what) {
            for (auto object : objects)
                if (candidate[object] != 0) occurrences.add(object, what);
        };
        for (std::size_t i = 0; i < task_.static_predicates.size(); ++i) add(statics_, task_.static_arguments[i], i);
        for (AtomId atom = 0; atom < task_.atom_count(); ++atom) add(atoms_, task_.atom_arguments[atom], atom);
        std::uint64_t place = 0;
        for (auto literal : task_.literals[task_.goal]) add(goal_, task_.atom_arguments[atom_of(literal)], place++);
        for (auto disjunction : task_.condition_disjunctions[task_.goal]) {
            const auto found = [&](AtomId atom, bool) { add(goal_, task_.atom_arguments[atom], place); };
            for (auto option : task_.disjunctions[disjunction]) parts_.for_each_literal(option, found);
            ++place;
        }
        for (ActionId action = 0; action < task_.action_count(); ++action) {
            const auto arguments = task_.action_arguments[action];
            add(actions_, arguments, action);
            const auto parts = parts_.count(action);
            for (std::uint32_t part = 1; part < parts; ++part) {
                stop_.poll();
                const auto found = [&](AtomId atom, bool) {
                    for (auto object : task_.atom_arguments[atom])
                        if (candidate[object] != 0 && std::ranges::find(arguments, object) == arguments.end())
                            action_parts_.add(object, (std::uint64_t{action} << 32U) + part);
                };
                parts_.for_each_atom(action, part, found);
            }
        }
    }

    // --- swaps ---

    void divide(const Indices& objects, std::vector<Indices>& classes) {
        const auto first = classes.size();
        for (auto object : objects) {
            auto place = first;
            while (place < classes.size() && !is_symmetric(classes[place].front(), object)) ++place;
            if (place == classes.size()) classes.emplace_back();
            classes[place].push_back(object);
        }
    }

    // Whether swapping two objects maps the task onto itself. When too many swaps have failed it says no.
    bool is_symmetric(std::uint32_t a, std::uint32_t b) {
        if (failures_left_ == 0) return false;
        swapped_->swap(a, b);
        difference_ = 0;
        work_ = 1;
        statics_.for_either(a, b, [&](std::uint64_t i) {
            compare(
                [&](PartHash& hashes) { return hashes.name(task_.static_predicates[i], task_.static_arguments[i]); });
        });
        if (difference_ == 0) {
            const auto literals = task_.literals[task_.goal];
            goal_.for_either(a, b, [&](std::uint64_t i) {
                compare([&](PartHash& hashes) {
                    return i < literals.size()
                               ? hashes.literal(literals[i])
                               : hashes.disjunction(task_.condition_disjunctions[task_.goal][i - literals.size()]);
                });
            });
        }
        if (difference_ == 0)
            atoms_.for_either(a, b, [&](std::uint64_t atom) {
                compare([&](PartHash& hashes) { return hashes.atom(static_cast<AtomId>(atom)); });
            });
        if (difference_ == 0) compare_actions(a, b);
        if (difference_ != 0) failures_left_ -= std::min(failures_left_, work_);
        return difference_ == 0;
    }

    void compare_actions(std::uint32_t a, std::uint32_t b) {
        const auto compare_part = [&](ActionId action, std::uint32_t part) {
            compare([&](PartHash& hashes) { return parts_.hash(hashes, action, part); });
        };
        actions_.for_either(a, b, [&](std::uint64_t i) {  // names first: that is cheap
            const auto action = static_cast<ActionId>(i);
            compare([&](PartHash& hashes) { return hashes.action(action); });
        });
        if (difference_ != 0) return;
        actions_.for_either(a, b, [&](std::uint64_t i) {
            const auto action = static_cast<ActionId>(i);
            const auto parts = parts_.count(action);
            for (std::uint32_t part = 0; part < parts; ++part) compare_part(action, part);
        });
        if (difference_ != 0) return;
        action_parts_.for_either(a, b, [&](std::uint64_t i) {
            const auto action = static_cast<ActionId>(i >> 32U);
            const auto arguments = task_.action_arguments[action];
            const auto is_argument = [&](auto object) { return object == a || object == b; };
            if (std::ranges::any_of(arguments, is_argument)) return;  // compared as a whole
            compare_part(action, static_cast<std::uint32_t>(i));
        });
    }

    template <typename Of>
    void compare(Of of) {
        stop_.poll();
        difference_ += of(*plain_) - of(*swapped_);
        ++work_;
    }

    const Task& task_;
    const Indices& kinds_;
    Stop& stop_;
    ActionParts parts_;
    std::vector<Hash> colours_;
    std::vector<std::uint8_t> used_;
    Occurrences statics_{kinds_.size()}, atoms_{kinds_.size()}, goal_{kinds_.size()};
    Occurrences actions_{kinds_.size()}, action_parts_{kinds_.size()};
    PartHash* plain_ = nullptr;
    PartHash* swapped_ = nullptr;
    Hash difference_ = 0;
    std::uint64_t work_ = 0;
    std::uint64_t failures_left_ = 0;
};

}  // namespace

std::vector<Indices> find_interchangeable(const Task& task, const Indices& kinds, Stop& stop) {
    return ClassFinder(task, kinds, stop).run();
}

}  // namespace gpaplan
