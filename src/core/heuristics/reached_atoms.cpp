// Which atoms can change at all.
#include "heuristics/relaxation.hpp"

namespace gpaplan {

namespace {

// The facts that are reached from the initial state, by counting the preconditions that each operator lacks.
std::vector<bool> reach(const Task& task, const Relaxation& relaxation) {
    std::vector<bool> reached(relaxation.fact_count, false);
    std::vector<bool> holds(task.atom_count(), false);
    for (auto atom : task.initial_atoms) holds[atom] = true;
    Indices queue;
    const auto add = [&](FactId fact) {
        if (reached[fact]) return;
        reached[fact] = true;
        queue.push_back(fact);
    };
    add(relaxation.always);
    for (AtomId atom = 0; atom < task.atom_count(); ++atom) {
        if (holds[atom]) add(atom);
        if (!holds[atom] && relaxation.negative_facts[atom] != no_id) add(relaxation.negative_facts[atom]);
    }
    const auto precondition_of = invert(relaxation.preconditions, relaxation.fact_count);
    Indices lacking;
    for (OperatorId op = 0; op < relaxation.operator_count(); ++op)
        lacking.push_back(static_cast<std::uint32_t>(relaxation.preconditions[op].size()));
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (auto op : precondition_of[queue[i]])
            if (--lacking[op] == 0)
                for (auto fact : relaxation.adds[op]) add(fact);
    return reached;
}

}  // namespace

FixedAtoms find_fixed_atoms(const Task& task, Stop& stop) {
    const auto relaxation = determinise(task, stop);
    const auto reached = reach(task, relaxation);
    FixedAtoms result;
    for (AtomId atom = 0; atom < task.atom_count(); ++atom) {
        const auto negative = relaxation.negative_facts[atom];
        if (!reached[atom]) result.never_true.push_back(atom);
        if (negative != no_id && !reached[negative]) result.never_false.push_back(atom);
    }
    return result;
}

}  // namespace gpaplan
