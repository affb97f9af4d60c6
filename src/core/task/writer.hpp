// Writing the conditions and effects of a task: each behind those that it refers to, and equal ones once.
#pragma once

#include <map>
#include <utility>

#include "base/interner.hpp"
#include "task/task.hpp"

namespace gpaplan {

// A condition on its way into a task.
struct Conjunction {
    bool is_impossible = false;
    Indices literals;
    Indices disjunctions;

    bool is_true() const { return !is_impossible && literals.empty() && disjunctions.empty(); }
    void clear() {
        is_impossible = false;
        literals.clear();
        disjunctions.clear();
    }
    // Brings it into order, and notes whether an atom would have to hold and not to hold.
    void normalize();
};

// An effect on its way into a task.
struct EffectParts {
    Indices adds;
    Indices deletes;
    Indices conditionals;
    Indices factors;
    double cost = 0;

    void clear() {
        for (auto* list : {&adds, &deletes, &conditionals, &factors}) list->clear();
        cost = 0;
    }
    bool is_empty() const {
        return adds.empty() && deletes.empty() && conditionals.empty() && factors.empty() && cost == 0;
    }
};

class TaskWriter {
public:
    TaskWriter();  // begins with the condition that is true and the empty effect

    Task task;

    // These give the ids of what is written; they bring it into order first.
    std::uint32_t condition(Conjunction& conjunction);
    std::uint32_t effect(EffectParts& parts);
    std::uint32_t factor(const std::vector<std::pair<double, std::uint32_t>>& outcomes);

    // Adds to a conjunction that one of the options holds, which are normalized.
    void add_disjunction(Conjunction& to, std::vector<Conjunction>& options);

private:
    std::uint32_t disjunction(const Indices& options);

    ListInterner conditions_;    // literals, no_id, disjunctions
    ListInterner disjunctions_;  // conditions
    ListInterner effects_;       // their parts, no_id behind each, and the cost
    ListInterner factors_;       // pairs of a number and an effect
    std::map<double, std::uint32_t> numbers_;
    Indices key_;  // scratch
};

}  // namespace gpaplan
