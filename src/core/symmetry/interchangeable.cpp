#include <optional>

#include "symmetry/symmetry.hpp"

namespace gpaplan {

namespace {

using Hash = std::uint64_t;

constexpr Hash seed = 0x9e3779b97f4a7c15U;

// The parts of conditions and effects; the hash of a part begins with its tag.
enum class Tag : std::uint8_t { cost, literal, disjunction, add, remove, conditional, factor };
constexpr Hash option_tag = 16, outcome_tag = 17, item_tag = 18;

struct Part {
    Tag tag;
    std::uint32_t id;                     // of what the tag says; of a conditional its condition
    std::uint32_t effect = empty_effect;  // of a conditional
    ActionId action = no_id;              // whose part it is
};

template <typename Visit>
void for_each_part_of_condition(const Task& task, std::uint32_t condition, Visit visit) {
    for (auto each : task.literals[condition]) visit(Part{Tag::literal, each});
    for (auto each : task.condition_disjunctions[condition]) visit(Part{Tag::disjunction, each});
}

template <typename Visit>
void for_each_part_of_effect(const Task& task, std::uint32_t effect, Visit visit) {
    visit(Part{Tag::cost, effect});
    for (auto each : task.adds[effect]) visit(Part{Tag::add, each});
    for (auto each : task.deletes[effect]) visit(Part{Tag::remove, each});
    for (const auto [condition, inner] : pairs(task.conditionals[effect]))
        visit(Part{Tag::conditional, condition, inner});
    for (auto each : task.factors[effect]) visit(Part{Tag::factor, each});
}

template <typename Found>
void for_each_atom(const Task& task, const Part& part, const Found& found) {
    const auto literal = [&](Literal each) { found(atom_of(each)); };
    const auto inner = [&](const Part& each) { for_each_atom(task, each, found); };
    if (part.tag == Tag::literal) {
        literal(part.id);
    } else if (part.tag == Tag::add || part.tag == Tag::remove) {
        found(part.id);
    } else if (part.tag == Tag::disjunction) {
        for (auto option : task.disjunctions[part.id]) for_each_literal(task, option, literal);
    } else if (part.tag == Tag::conditional) {
        for_each_literal(task, part.id, literal);
        for_each_part_of_effect(task, part.effect, inner);
    } else if (part.tag == Tag::factor) {
        for (const auto [number, outcome] : pairs(task.outcomes[part.id]))
            for_each_part_of_effect(task, outcome, inner);
    }
}

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
    Hash part(const Part& part) {
        const auto tag = static_cast<Hash>(part.tag);
        switch (part.tag) {
            case Tag::cost:
                return mix(tag, std::bit_cast<Hash>(task_.effect_costs[part.id]));
            case Tag::literal:
                return mix(tag, atom(atom_of(part.id)) + (is_negated(part.id) ? 1U : 0U));
            case Tag::add:
            case Tag::remove:
                return mix(tag, atom(part.id));
            case Tag::conditional:
                return mix(tag, hash_step(condition(part.id), effect(part.effect)));
            default:
                break;
        }
        Hash sum = 0;
        if (part.tag == Tag::disjunction) {
            for (auto option : task_.disjunctions[part.id]) sum += mix(option_tag, condition(option));
            return mix(tag, sum);
        }
        for (const auto [number, outcome] : pairs(task_.outcomes[part.id])) {
            const auto probability = std::bit_cast<Hash>(task_.probabilities[number]);
            sum += mix(outcome_tag, hash_step(hash_step(seed, probability), effect(outcome)));
        }
        return mix(tag, sum);
    }
    Hash part_of_action(const Part& each) { return mix(item_tag, hash_step(action(each.action), part(each))); }

private:
    Hash condition(std::uint32_t condition) {
        return sum_of(conditions_[condition], [&](auto add) { for_each_part_of_condition(task_, condition, add); });
    }
    Hash effect(std::uint32_t effect) {
        return sum_of(effects_[effect], [&](auto add) { for_each_part_of_effect(task_, effect, add); });
    }

    bool mentions_either(IndexSpan arguments) const {
        for (auto object : arguments)
            if (object == a_ || object == b_) return true;
        return false;
    }

    struct Known {
        std::uint64_t epoch = 0;
        Hash hash = 0;
    };
    template <typename Visit>
    Hash sum_of(Known& known, Visit visit) {
        if (known.epoch == epoch_) return known.hash;
        Hash sum = seed;
        visit([&](const Part& each) { sum += part(each); });
        known = {epoch_, sum};
        return sum;
    }

    const Task& task_;
    std::vector<Hash> atoms_;    // by their own names
    std::vector<Hash> actions_;  // by their own names
    std::uint32_t a_ = no_id;
    std::uint32_t b_ = no_id;
    std::uint64_t epoch_ = 1;
    std::vector<Known> conditions_;
    std::vector<Known> effects_;
};

class ClassFinder {
public:
    ClassFinder(const Task& task, const Indices& kinds, Stop& stop)
        : task_(task), kinds_(kinds), stop_(stop), colours_(kinds.size(), 0), used_(kinds.size(), 0) {}

    std::vector<Indices> run() {
        colour();
        const auto groups = group();
        if (groups.empty()) return {};
        index(groups);
        plain_.emplace(task_);
        swapped_.emplace(task_);
        // Comparisons that failed swaps may take: a few for each part of the task, so that finding none costs little.
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
            for_each_literal(task_, task_.goal, [&](Literal literal) {
                const auto atom = atom_of(literal);
                const Hash symbol = 8 * Hash{task_.atom_predicates[atom]} + (is_negated(literal) ? 4 : 0) + 2;
                look(symbol, task_.atom_arguments[atom]);
            });
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
        for_each_part_of_condition(task_, task_.goal, [&](const Part& part) {
            const auto place = goal_parts_.size();
            goal_parts_.push_back(part);
            for_each_atom(task_, part, [&](AtomId atom) { add(goal_, task_.atom_arguments[atom], place); });
        });
        for (ActionId action = 0; action < task_.action_count(); ++action) {
            const auto arguments = task_.action_arguments[action];
            add(actions_, arguments, action);
            parts_begin_.push_back(parts_.size());
            const auto keep = [&](Part part) {
                stop_.poll();
                part.action = action;
                for_each_atom(task_, part, [&](AtomId atom) {
                    for (auto object : task_.atom_arguments[atom])
                        if (candidate[object] != 0 && std::ranges::find(arguments, object) == arguments.end())
                            action_parts_.add(object, parts_.size());
                });
                parts_.push_back(part);
            };
            for_each_part_of_condition(task_, task_.preconditions[action], keep);
            for_each_part_of_effect(task_, task_.effects[action], keep);
        }
        parts_begin_.push_back(parts_.size());
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

    // Whether swapping two objects maps the task onto itself: the cheapest comparisons first. When too many swaps have
    // failed it says no.
    bool is_symmetric(std::uint32_t a, std::uint32_t b) {
        if (failures_left_ == 0) return false;
        swapped_->swap(a, b);
        Hash difference = 0;
        std::uint64_t work = 1;
        const auto compare = [&](const Occurrences& where, auto hash) {
            if (difference != 0) return;
            where.for_either(a, b, [&](std::uint64_t i) {
                stop_.poll();
                difference += hash(*plain_, i) - hash(*swapped_, i);
                ++work;
            });
        };
        const auto part = [&](PartHash& hashes, std::uint64_t i) { return hashes.part_of_action(parts_[i]); };
        compare(statics_, [&](PartHash& hashes, std::uint64_t i) {
            return hashes.name(task_.static_predicates[i], task_.static_arguments[i]);
        });
        compare(goal_, [&](PartHash& hashes, std::uint64_t i) { return hashes.part(goal_parts_[i]); });
        compare(atoms_, [](PartHash& hashes, std::uint64_t i) { return hashes.atom(static_cast<AtomId>(i)); });
        compare(actions_, [](PartHash& hashes, std::uint64_t i) { return hashes.action(static_cast<ActionId>(i)); });
        compare(actions_, [&](PartHash& hashes, std::uint64_t action) {
            Hash sum = 0;
            for (auto i = parts_begin_[action]; i < parts_begin_[action + 1]; ++i) sum += part(hashes, i);
            return sum;
        });
        compare(action_parts_, [&](PartHash& hashes, std::uint64_t i) {
            const auto is_argument = [&](auto object) { return object == a || object == b; };
            const bool was_compared = std::ranges::any_of(task_.action_arguments[parts_[i].action], is_argument);
            return was_compared ? 0 : part(hashes, i);
        });
        if (difference != 0) failures_left_ -= std::min(failures_left_, work);
        return difference == 0;
    }

    const Task& task_;
    const Indices& kinds_;
    Stop& stop_;
    std::vector<Hash> colours_;
    std::vector<std::uint8_t> used_;
    std::vector<Part> goal_parts_;
    std::vector<Part> parts_;  // of all actions
    std::vector<std::size_t> parts_begin_;
    Occurrences statics_{kinds_.size()}, atoms_{kinds_.size()}, goal_{kinds_.size()};
    Occurrences actions_{kinds_.size()}, action_parts_{kinds_.size()};
    std::optional<PartHash> plain_, swapped_;
    std::uint64_t failures_left_ = 0;
};

}  // namespace

std::vector<Indices> find_interchangeable(const Task& task, const Indices& kinds, Stop& stop) {
    return ClassFinder(task, kinds, stop).run();
}

}  // namespace gpaplan
