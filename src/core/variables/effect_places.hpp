// The places of an action's effect where atoms are added or deleted, each with what is known if it happens.
#pragma once

#include "task/task.hpp"

namespace gpaplan {

// What is known at one place of an effect, if that place is active.
struct EffectPlace {
    std::uint32_t effect;
    Indices known;    // literals that hold before: of the precondition, and of the conditions on the way
    Indices deletes;  // of this effect and of those around it
    Indices choices;  // pairs (factor, outcome) that were drawn on the way
    Indices around;   // the effects on the way, this one included
};

namespace detail {

template <typename Visit>
void visit_places(const Task& task, const EffectPlace& place, Visit& visit) {
    visit(place);
    const auto enter = [&](std::uint32_t effect, EffectPlace inner) {
        inner.effect = effect;
        append(inner.deletes, task.deletes[effect]);
        inner.around.push_back(effect);
        visit_places(task, inner, visit);
    };
    for (auto factor : task.factors[place.effect]) {
        const auto outcomes = task.outcomes[factor];
        for (std::size_t k = 0; k < outcomes.size(); k += 2) {
            EffectPlace inner = place;
            inner.choices.insert(inner.choices.end(), {factor, static_cast<std::uint32_t>(k)});
            enter(outcomes[k + 1], std::move(inner));
        }
    }
    for (const auto [condition, effect] : pairs(task.conditionals[place.effect])) {
        EffectPlace inner = place;
        append(inner.known, task.literals[condition]);
        enter(effect, std::move(inner));
    }
}

}  // namespace detail

// Calls `visit` with every place of an action's effect, the outermost first.
template <typename Visit>
void for_each_place(const Task& task, ActionId action, Visit visit) {
    const auto effect = task.effects[action];
    EffectPlace place{effect, {}, {}, {}, {effect}};
    append(place.known, task.literals[task.preconditions[action]]);
    append(place.deletes, task.deletes[effect]);
    detail::visit_places(task, place, visit);
}

}  // namespace gpaplan
