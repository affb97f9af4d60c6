#include "heuristics/relaxation.hpp"

#include <cmath>

#include "base/hash.hpp"

namespace gpaplan {

namespace {

bool are_equal(const Relaxation& relaxation, OperatorId a, OperatorId b) {
    return std::ranges::equal(relaxation.preconditions[a], relaxation.preconditions[b]) &&
           std::ranges::equal(relaxation.adds[a], relaxation.adds[b]);
}

// The operators that are not copies of others. A copy is alone in its group: whoever uses it may use the other one, at
// the lower of their costs. This would not do for larger groups: a plan that applies one action would pay for two.
std::vector<bool> find_originals(Relaxation& relaxation, Stop& stop) {
    std::vector<std::uint64_t> keys;  // hash, operator
    for (std::uint32_t group = 1; group < relaxation.group_costs.size(); ++group) {
        stop.poll();
        const auto op = relaxation.group_begin[group];
        if (relaxation.group_begin[group + 1] - op != 1) continue;
        std::uint64_t hash = relaxation.preconditions[op].size();
        for (auto fact : relaxation.preconditions[op]) hash = hash_step(hash, fact);
        for (auto fact : relaxation.adds[op]) hash = hash_step(hash, fact);
        keys.push_back(hash_finish(hash) >> 32U << 32U | op);
    }
    std::ranges::sort(keys, polled(stop, std::ranges::less{}));
    std::vector<bool> originals(relaxation.operator_count(), true);
    for (std::size_t first = 0, end = 0; first < keys.size(); first = end) {
        for (end = first + 1; end < keys.size() && keys[end] >> 32U == keys[first] >> 32U; ++end) {
            stop.poll();
            const auto original = static_cast<OperatorId>(keys[first]);
            const auto copy = static_cast<OperatorId>(keys[end]);
            if (!are_equal(relaxation, original, copy)) continue;
            originals[copy] = false;
            auto& cost = relaxation.group_costs[relaxation.groups[original]];
            cost = std::min(cost, relaxation.group_costs[relaxation.groups[copy]]);
        }
    }
    return originals;
}

struct Needed {
    std::vector<bool> facts;
    std::vector<bool> operators;
};

// What is needed for the goal: facts it asks for, operators that add one of these, their preconditions, and so on.
Needed find_needed(const Relaxation& relaxation, const std::vector<bool>& originals, Stop& stop) {
    Needed needed{std::vector<bool>(relaxation.fact_count), std::vector<bool>(relaxation.operator_count())};
    const auto added_by = invert(relaxation.adds, relaxation.fact_count);
    Indices open{Relaxation::goal};
    needed.operators[Relaxation::goal] = true;
    while (!open.empty()) {
        stop.poll();
        const auto op = open.back();
        open.pop_back();
        for (auto fact : relaxation.preconditions[op]) {
            if (needed.facts[fact]) continue;
            needed.facts[fact] = true;
            for (auto achiever : added_by[fact]) {
                if (needed.operators[achiever] || !originals[achiever]) continue;
                needed.operators[achiever] = true;
                open.push_back(achiever);
            }
        }
    }
    return needed;
}

template <typename Keep>
void compact(Ranges& ranges, const std::vector<bool>& operators, const Keep& keep) {
    std::uint32_t begin = 0, kept = 0, to = 0;
    for (OperatorId op = 0; op < operators.size(); ++op) {
        const auto end = ranges.begin[op + 1];
        if (operators[op]) {
            for (auto i = begin; i < end; ++i)
                if (keep(ranges.values[i])) ranges.values[to++] = ranges.values[i];
            ranges.begin[++kept] = to;
        }
        begin = end;
    }
    ranges.begin.resize(kept + 1);
    ranges.values.resize(to);
}

void drop_all_but(const Needed& needed, Relaxation& relaxation) {
    compact(relaxation.preconditions, needed.operators, [](FactId) { return true; });
    compact(relaxation.adds, needed.operators, [&](FactId fact) { return bool{needed.facts[fact]}; });
    std::uint32_t kept = 0, kept_groups = 0, last_group = no_id;
    for (OperatorId op = 0; op < needed.operators.size(); ++op) {
        if (!needed.operators[op]) continue;
        const auto group = relaxation.groups[op];
        if (group != last_group) {
            relaxation.group_costs[kept_groups] = relaxation.group_costs[group];
            relaxation.group_begin[kept_groups++] = kept;
        }
        last_group = group;
        relaxation.groups[kept++] = kept_groups - 1;
    }
    relaxation.groups.resize(kept);
    relaxation.group_costs.resize(kept_groups);
    relaxation.group_begin.resize(kept_groups + 1);
    relaxation.group_begin.back() = kept;
}

// Facts with the same operators stand next to each other once they are sorted by a hash of these.
Bundles make_bundles(const Relaxation& relaxation, Stop& stop) {
    constexpr std::size_t worth_while = 32;  // preconditions that need not be counted, in all operators
    const auto& operators_of = relaxation.precondition_of;
    std::vector<std::pair<std::uint64_t, FactId>> order;
    for (FactId fact = 0; fact < relaxation.fact_count; ++fact) {
        std::uint64_t hash = operators_of[fact].size();
        stop.poll(hash);
        for (auto op : operators_of[fact]) hash = hash_step(hash, op);
        if (operators_of[fact].size() > 1) order.emplace_back(hash, fact);
    }
    std::ranges::sort(order, polled(stop, std::ranges::less{}));
    Bundles bundles;
    bundles.of_fact.assign(relaxation.fact_count, no_id);
    for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
        const auto belongs = [&](const auto& other) {
            return other.first == order[first].first &&
                   std::ranges::equal(operators_of[other.second], operators_of[order[first].second]);
        };
        for (end = first + 1; end < order.size() && belongs(order[end]);) ++end;
        if ((end - first - 1) * operators_of[order[first].second].size() < worth_while) continue;
        for (auto i = first; i < end; ++i) {
            bundles.of_fact[order[i].second] = static_cast<std::uint32_t>(bundles.facts.size());
            bundles.facts.values.push_back(order[i].second);
        }
        bundles.facts.close();
    }
    for (OperatorId op = 0; op < relaxation.operator_count(); ++op) {
        stop.poll();
        for (auto fact : relaxation.preconditions[op]) {
            const auto bundle = bundles.of_fact[fact];
            if (bundle == no_id)
                bundles.alone.values.push_back(fact);
            else if (bundles.facts[bundle].front() == fact)
                bundles.of_operator.values.push_back(bundle);
        }
        bundles.alone.close();
        bundles.of_operator.close();
    }
    if (bundles.facts.size() == 0) bundles.of_fact.clear();
    return bundles;
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

// What rounding may have left over of a remainder, in parts of the divisor.
constexpr double negligible = 1e-10;

double remainder(double cost, double unit) {
    const double rest = std::fmod(cost, unit);
    return std::min(rest, unit - rest) <= negligible * unit ? 0 : rest;
}

// The greatest common divisor, up to rounding: an action that succeeds with 0.6 costs five thirds of one that always
// does. It is made so small that no multiple exceeds the cost that it stands for.
double common_unit(const std::vector<double>& costs) {
    constexpr double most_units = 64;  // of the dearest action: its multiples index the buckets of a queue
    double unit = 0, largest = 0, last = 0;
    for (auto cost : costs) {
        if (cost == last || cost == 0) continue;
        last = cost;
        largest = std::max(largest, cost);
        while (cost > 0) unit = std::exchange(cost, remainder(unit, cost));
        if (!(largest <= most_units * unit)) return 0;
    }
    if (unit == 0) return 1;
    double least = unit;
    for (auto cost : costs)
        if (cost > 0) least = std::min(least, cost / std::round(cost / unit));
    return least;
}

}  // namespace

Relaxation relax(const Task& task, Stop& stop) {
    auto relaxation = determinise(task, stop);
    drop_all_but(find_needed(relaxation, find_originals(relaxation, stop), stop), relaxation);
    relaxation.precondition_of = invert(relaxation.preconditions, relaxation.fact_count);
    relaxation.bundles = make_bundles(relaxation, stop);
    find_precondition_atoms(task, relaxation);
    relaxation.unit = common_unit(relaxation.group_costs);
    return relaxation;
}

}  // namespace gpaplan
