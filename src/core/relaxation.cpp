#include "relaxation.hpp"

#include <cmath>
#include <utility>

#include "determinisation.hpp"

namespace gpaplan {

Ranges invert(const Ranges& ranges, std::size_t count) {
    Ranges result;
    result.begin.assign(count + 1, 0);
    result.values.resize(ranges.values.size());
    for (auto value : ranges.values) ++result.begin[value];
    std::uint32_t end = 0;
    for (auto& begin : result.begin) begin = end += begin;
    for (std::size_t i = ranges.size(); i-- > 0;)
        for (auto value : ranges[i]) result.values[--result.begin[value]] = static_cast<std::uint32_t>(i);
    return result;
}

namespace {

// Keeps what is needed for the goal: facts it asks for, operators that add one of these, their preconditions, and so on.
void drop_irrelevant(Relaxation& relaxation) {
    std::vector<bool> needed_fact(relaxation.fact_count), needed_operator(relaxation.operator_count());
    {
        const auto added_by = invert(relaxation.adds, relaxation.fact_count);
        Indices open{Relaxation::goal};
        needed_operator[Relaxation::goal] = true;
        while (!open.empty()) {
            const auto op = open.back();
            open.pop_back();
            for (auto fact : relaxation.preconditions[op]) {
                if (needed_fact[fact]) continue;
                needed_fact[fact] = true;
                for (auto achiever : added_by[fact]) {
                    if (needed_operator[achiever]) continue;
                    needed_operator[achiever] = true;
                    open.push_back(achiever);
                }
            }
        }
    }
    const auto compact = [&](Ranges& ranges, const auto& keep) {
        std::uint32_t begin = 0, kept = 0, to = 0;
        for (OperatorId op = 0; op < needed_operator.size(); ++op) {
            const auto end = ranges.begin[op + 1];
            for (; needed_operator[op] && begin < end; ++begin)
                if (keep(ranges.values[begin])) ranges.values[to++] = ranges.values[begin];
            begin = end;
            if (needed_operator[op]) ranges.begin[++kept] = to;
        }
        ranges.begin.resize(kept + 1);
        ranges.values.resize(to);
    };
    compact(relaxation.preconditions, [](FactId) { return true; });
    compact(relaxation.adds, [&](FactId fact) { return bool{needed_fact[fact]}; });

    std::uint32_t kept = 0, kept_groups = 0, last_group = no_id;
    for (OperatorId op = 0; op < needed_operator.size(); ++op) {
        if (!needed_operator[op]) continue;
        const auto group = relaxation.groups[op];
        if (group != last_group) {
            relaxation.group_costs[kept_groups++] = relaxation.group_costs[group];
            relaxation.group_begin.push_back(kept);
        }
        last_group = group;
        relaxation.groups[kept++] = kept_groups - 1;
    }
    relaxation.group_begin.push_back(kept);
    relaxation.groups.resize(kept);
    relaxation.group_costs.resize(kept_groups);
}

void find_precondition_atoms(const Task& task, Relaxation& relaxation) {
    relaxation.positive.assign(task.word_count(), 0);
    relaxation.negative.assign(task.word_count(), 0);
    for (AtomId atom = 0; atom < task.atom_count(); ++atom) {
        if (!relaxation.precondition_of[atom].empty()) set_bit(relaxation.positive.data(), atom);
        const auto fact = relaxation.negative_facts[atom];
        if (fact != no_id && !relaxation.precondition_of[fact].empty()) set_bit(relaxation.negative.data(), atom);
    }
}

// The greatest common divisor: exact, for the remainder of floating-point numbers is.
double common_unit(const std::vector<double>& costs) {
    constexpr double most_units = 64;
    double unit = 0, largest = 0, last = 0;
    for (auto cost : costs) {
        if (cost == last || cost == 0) continue;
        last = cost;
        largest = std::max(largest, cost);
        while (cost > 0) unit = std::exchange(cost, std::fmod(unit, cost));
        if (!(largest <= most_units * unit)) return 0;
    }
    return unit == 0 ? 1 : unit;
}

}  // namespace

Relaxation relax(const Task& task, Outcomes outcomes) {
    auto relaxation = determinise(task, outcomes);
    drop_irrelevant(relaxation);
    relaxation.precondition_of = invert(relaxation.preconditions, relaxation.fact_count);
    find_precondition_atoms(task, relaxation);
    relaxation.unit = common_unit(relaxation.group_costs);
    return relaxation;
}

}  // namespace gpaplan
