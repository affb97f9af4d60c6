// How a pattern's task is written down.
#include <array>

#include "patterns/projection.hpp"
#include "task/writer.hpp"

namespace gpaplan {

namespace {

class Viewer {
public:
    Viewer(const ProjectedTask& task, const Indices& pattern, Stop& stop)
        : task_(task.task), variables_(task.variables), stop_(stop), seen_(task_.atom_count(), no_id) {
        auto& atoms = writer_.task.atom_predicates;
        atoms.push_back(0);
        for (auto variable : pattern) {
            for (auto atom : variables_.atoms[variable]) {
                seen_[atom] = static_cast<AtomId>(atoms.size());
                atoms.push_back(0);
            }
        }
        writer_.task.initial_atoms = {PatternTask::jumped};
        EffectParts jump{.adds = {PatternTask::jumped}, .deletes = {}, .conditionals = {}, .factors = {}, .cost = 1};
        jump_ = writer_.effect(jump);
    }

    // Of the actions that may change the pattern.
    PatternTask run(const Indices& actions) {
        auto& result = writer_.task;
        Conjunction goal;
        std::vector<Conjunction> ways{{.literals = {make_literal(PatternTask::jumped, false)}, .disjunctions = {}},
                                      see(task_.goal, {}).what};
        writer_.add_disjunction(goal, ways);
        result.goal = writer_.condition(goal);
        ListInterner distinct;
        std::vector<Indices> members;
        for (auto action : actions) {
            stop_.poll();
            auto precondition = see(task_.preconditions[action], {}).what;
            if (precondition.is_impossible) continue;
            const auto effect = see_effect(task_.effects[action], task_.literals[task_.preconditions[action]]);
            if (effect == empty_effect) continue;
            const auto known = distinct.size();
            const std::array look{writer_.condition(precondition), effect};
            const auto label = distinct.intern(look);
            if (label == known) {
                members.emplace_back();
                result.action_schemas.push_back(0);
                result.preconditions.push_back(look[0]);
                result.effects.push_back(effect);
            }
            members[label].push_back(action);
        }
        PatternTask found{std::make_shared<const Task>(std::move(result)), {}};
        for (const auto& list : members) found.actions.add(list);
        return found;
    }

private:
    struct Seen {
        Conjunction what;      // normalized
        bool is_exact = true;  // else the condition may not hold where this does
    };

    // A condition where others about atoms that are not seen count as true. Literals that are known to hold besides are
    // those of a precondition.
    Seen see(std::uint32_t condition, IndexSpan known) {
        Seen result;
        for (auto literal : task_.literals[condition]) {
            const auto atom = atom_of(literal);
            if (seen_[atom] != no_id) {
                result.what.literals.push_back(make_literal(seen_[atom], is_negated(literal)));
            } else if (is_excluded(literal, known)) {
                result.what.is_impossible = true;
            } else if (!std::ranges::binary_search(known, literal)) {
                result.is_exact = false;
                if (!is_negated(literal)) exclude_others(atom, result.what.literals);
            }
        }
        for (auto disjunction : task_.condition_disjunctions[condition]) {
            std::vector<Conjunction> options;
            for (auto option : task_.disjunctions[disjunction]) {
                auto seen = see(option, known);
                result.is_exact = result.is_exact && seen.is_exact;
                options.push_back(std::move(seen.what));
            }
            writer_.add_disjunction(result.what, options);
        }
        result.what.normalize();
        return result;
    }

    bool is_excluded(Literal literal, IndexSpan known) const {
        if (std::ranges::binary_search(known, literal ^ 1U)) return true;
        return !is_negated(literal) && std::ranges::any_of(known, [&](Literal other) {
            return other != literal && !is_negated(other) && variables_.exclude(atom_of(other), atom_of(literal));
        });
    }

    void exclude_others(AtomId atom, Indices& literals) const {
        for (auto group : variables_.groups_of[atom])
            for (auto other : variables_.mutex.atoms[group])
                if (seen_[other] != no_id) literals.push_back(make_literal(seen_[other], true));
    }

    std::uint32_t see_effect(std::uint32_t effect, IndexSpan known) {
        EffectParts parts;
        gather(effect, known, parts);
        if (!parts.is_empty()) parts.cost = 1;
        return writer_.effect(parts);
    }

    void gather(std::uint32_t effect, IndexSpan known, EffectParts& result) {
        for (auto atom : task_.adds[effect])
            if (seen_[atom] != no_id) result.adds.push_back(seen_[atom]);
        for (auto atom : task_.deletes[effect])
            if (seen_[atom] != no_id) result.deletes.push_back(seen_[atom]);
        for (const auto [condition, then] : pairs(task_.conditionals[effect])) {
            auto when = see(condition, known);
            if (when.what.is_impossible) continue;
            if (when.is_exact && when.what.is_true()) {
                gather(then, known, result);
                continue;
            }
            const auto inner = see_effect(then, known);
            if (inner == empty_effect) continue;
            result.conditionals.insert(result.conditionals.end(),
                                       {writer_.condition(when.what), when.is_exact ? inner : jump_});
        }
        for (auto factor : task_.factors[effect]) draw(factor, known, result);
    }

    // Outcomes that look the same are one.
    void draw(std::uint32_t factor, IndexSpan known, EffectParts& result) {
        std::map<std::uint32_t, double> merged;
        for (const auto [number, inner] : pairs(task_.outcomes[factor]))
            merged[see_effect(inner, known)] += task_.probabilities[number];
        if (merged.size() == 1 && merged.begin()->first == empty_effect) return;
        std::vector<std::pair<double, std::uint32_t>> list;
        for (const auto& [inner, probability] : merged) list.emplace_back(probability, inner);
        result.factors.push_back(writer_.factor(list));
    }

    const Task& task_;
    const Variables& variables_;
    Stop& stop_;
    TaskWriter writer_;
    Indices seen_;  // of each atom of the task: that of the pattern's task, no_id if it is not seen
    std::uint32_t jump_;
};

}  // namespace

PatternTask see_task(const ProjectedTask& task, const Indices& pattern, Stop& stop) {
    Indices actions;
    for (auto variable : pattern) {
        const auto changers = task.changers[variable];
        append(actions, changers);
    }
    sort_unique(actions);
    return Viewer(task, pattern, stop).run(actions);
}

}  // namespace gpaplan
