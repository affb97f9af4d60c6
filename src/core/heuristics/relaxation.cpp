#include "heuristics/relaxation.hpp"

#include <cmath>
#include <iterator>

#include "base/hash.hpp"

namespace gpaplan {

namespace {

// Of each fact: what all operators that add it need, ascending.
std::vector<Indices> needs_of_facts(const Relaxation& relaxation, const Ranges& added_by, Stop& stop) {
    std::vector<Indices> needs(relaxation.fact_count);
    for (FactId fact = 0; fact < relaxation.fact_count; ++fact) {
        for (auto op : added_by[fact]) {
            stop.poll();
            const auto needed = relaxation.preconditions[op];
            if (op == added_by[fact].front()) needs[fact].assign(needed.begin(), needed.end());
            std::erase_if(needs[fact], [&](auto each) { return !std::ranges::binary_search(needed, each); });
        }
    }
    return needs;
}

// A detour is a fact of no use: what needs it adds only facts that held before it was reached, or further detours. A
// parcel that is put down where it does not belong can only be picked up again. So nothing need add a detour, and what
// adds nothing else is no operator. Costs of other facts stay the same, since whoever adds a fact costs at least what
// each of its needs does; states in which a detour holds are read as before.
void drop_detours(Relaxation& relaxation, Stop& stop) {
    const auto added_by = invert(relaxation.adds, relaxation.fact_count);
    const auto needs = needs_of_facts(relaxation, added_by, stop);
    std::vector<std::uint8_t> is_useful(relaxation.fact_count, 0);
    Indices useful;
    const auto mark = [&](FactId fact) {
        if (std::exchange(is_useful[fact], 1) == 0) useful.push_back(fact);
    };
    std::ranges::for_each(relaxation.preconditions[Relaxation::goal], mark);
    for (std::size_t i = 0; i < useful.size(); ++i) {
        for (auto op : added_by[useful[i]]) {
            stop.poll();
            for (auto fact : relaxation.preconditions[op])
                if (!std::ranges::binary_search(needs[fact], useful[i])) mark(fact);
        }
    }
    auto all = std::exchange(relaxation, {});
    relaxation.fact_count = all.fact_count;
    relaxation.group_begin = {0};
    relaxation.always = all.always;
    relaxation.negative_facts = std::move(all.negative_facts);
    for (OperatorId op = 0; op < all.operator_count(); ++op) {
        const auto before = relaxation.adds.values.size();
        std::ranges::copy_if(all.adds[op], std::back_inserter(relaxation.adds.values),
                             [&](FactId fact) { return is_useful[fact] != 0; });
        if (relaxation.adds.values.size() > before || op == Relaxation::goal) {
            relaxation.adds.close();
            relaxation.preconditions.add(all.preconditions[op]);
            relaxation.groups.push_back(static_cast<std::uint32_t>(relaxation.group_costs.size()));
        }
        const bool is_last = op + 1 == all.group_begin[all.groups[op] + 1];
        if (is_last && relaxation.operator_count() > relaxation.group_begin.back()) {
            relaxation.group_costs.push_back(all.group_costs[all.groups[op]]);
            relaxation.group_begin.push_back(relaxation.operator_count());
        }
    }
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
    drop_detours(relaxation, stop);
    relaxation.precondition_of = invert(relaxation.preconditions, relaxation.fact_count);
    relaxation.bundles = make_bundles(relaxation, stop);
    find_precondition_atoms(task, relaxation);
    relaxation.unit = common_unit(relaxation.group_costs);
    return relaxation;
}

}  // namespace gpaplan
