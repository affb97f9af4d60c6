#include "patterns/cost_partitioning.hpp"

#include <cmath>
#include <numeric>
#include <ranges>

#include "patterns/constants.hpp"

namespace gpaplan {

namespace {

float rounded_down(double value) {
    if (value == infinity) return std::numeric_limits<float>::infinity();
    const auto rounded = static_cast<float>(value);
    return rounded > value ? std::nextafter(rounded, -std::numeric_limits<float>::infinity()) : rounded;
}

class Combiner {
public:
    Combiner(const ProjectedTask& task, const Collection& collection, const PatternOptions& options, Stop& stop)
        : task_(task), collection_(collection), options_(options), stop_(stop) {}

    Tables run() {
        for (std::size_t i = 0; i < full_.size(); ++i) {
            const auto needed = saturate(projections_[i], full_[i], options_.give_up < infinity);
            saturated_.push_back(std::accumulate(needed.begin(), needed.end(), 0.0));
        }
        for (const auto& each : projections_)
            is_sometimes_hopeless_.push_back(std::ranges::find(each.hopeless, 1) != each.hopeless.end());
        // Each projection by itself, for dead ends, which take the whole dead-end cost.
        for (std::uint32_t i = 0; options_.give_up < infinity && i < projections_.size(); ++i)
            result_.sums.add(Indices{add_table(i, full_[i])});
        best_.assign(samples_.size(), -1.0);
        const auto most_work = pattern_constants::work_for_orders * options_.max_work;
        for (std::uint32_t i = 0; i < samples_.size() && orders_ < options_.max_orders && work_ <= most_work; ++i)
            for (const bool small_first : {true, false}) keep(evaluate(order_for(i, small_first)));
        return std::move(result_);
    }

private:
    // What a projection gives.
    struct Component {
        std::uint32_t projection;
        AbstractValues values;
    };
    struct Partition {
        std::vector<Component> components;
        std::vector<double> totals;  // of each sample
        std::uint64_t work = 0;
    };

    std::uint32_t add_table(std::uint32_t projection, const AbstractValues& values) {
        Tables::Table table{projection, {}};
        table.values.reserve(values.of.size());
        for (auto value : values.of) table.values.push_back(rounded_down(value));
        result_.tables.push_back(std::move(table));
        return static_cast<std::uint32_t>(result_.tables.size() - 1);
    }

    // Those first that give a state the most for what they take; or, before that, those with the fewest variables.
    Indices order_for(std::size_t sample, bool small_first) const {
        Indices order(projections_.size());
        std::iota(order.begin(), order.end(), 0);
        std::vector<double> scores;
        for (auto i : order) {
            const double value = full_[i].of[samples_[sample][i]];
            scores.push_back(value == infinity ? 0 : value / std::max(1e-9, saturated_[i]));
        }
        std::ranges::stable_sort(order, std::greater{}, [&](auto i) { return scores[i]; });
        if (small_first)
            std::ranges::stable_sort(order, {}, [&](auto i) { return projections_[i].index.variables.size(); });
        return order;
    }

    Partition evaluate(const Indices& order) const {
        Partition partition;
        partition.totals.assign(samples_.size(), 0);
        auto costs = task_.costs;  // of each action: what is left over
        double give_up = options_.give_up;
        for (auto i : order) saturate_next(partition, i, costs, give_up);
        return partition;
    }

    // Gives a projection its saturated costs, and leaves the rest.
    void saturate_next(Partition& partition, std::uint32_t i, std::vector<double>& costs, double& give_up) const {
        const auto& projection = projections_[i];
        // Where giving up is the only way it takes all that it is offered: others shall have a part of it too.
        const double offered = is_sometimes_hopeless_[i] != 0 ? give_up / 2 : give_up;
        auto values = solve(projection, label_costs(projection, costs), offered, stop_);
        partition.work += values.work + projection.actions.values.size();
        double largest = 0;
        for (auto value : values.of)
            if (value < infinity) largest = std::max(largest, value);
        if (largest == 0) return;
        const auto needed = saturate(projection, values, options_.give_up < infinity);
        for (LabelId label = 0; label < needed.size(); ++label)
            for (auto action : projection.actions[label]) costs[action] = std::max(0.0, costs[action] - needed[label]);
        if (give_up < infinity) give_up = std::max(0.0, give_up - largest);
        for (std::size_t s = 0; s < samples_.size(); ++s) partition.totals[s] += values.of[samples_[s][i]];
        partition.components.push_back({i, std::move(values)});
    }

    // Adds the tables of an order, if it raises what the others say of the samples by as much as a look at it is worth.
    // The initial state counts as much as all others together.
    void keep(const Partition& partition) {
        work_ += partition.work;
        double sum = 0;
        double raised = 0;
        bool knows_more = false;  // a dead end, or anything at all
        for (std::size_t s = 0; s < samples_.size(); ++s) {
            knows_more = knows_more || best_[s] < 0 || (partition.totals[s] == infinity && best_[s] < infinity);
            if (!(best_[s] < infinity) || !(partition.totals[s] < infinity)) continue;
            const double weight = s == 0 ? static_cast<double>(samples_.size()) : 1;
            sum += weight * std::max(0.0, best_[s]);
            raised += weight * std::max(best_[s], partition.totals[s]);
        }
        if (!knows_more && !(raised > (1 + pattern_constants::worth_an_order) * sum)) return;
        for (std::size_t s = 0; s < samples_.size(); ++s) best_[s] = std::max(best_[s], partition.totals[s]);
        ++orders_;
        Indices tables;
        for (const auto& component : partition.components)
            tables.push_back(add_table(component.projection, component.values));
        result_.sums.add(tables);
    }

    const ProjectedTask& task_;
    const Collection& collection_;
    const std::vector<Projection>& projections_ = collection_.projections;
    const std::vector<AbstractValues>& full_ = collection_.values;
    const std::vector<Sample>& samples_ = collection_.samples;
    const PatternOptions& options_;
    Stop& stop_;
    Tables result_;
    std::vector<std::uint8_t> is_sometimes_hopeless_;  // of each projection
    std::vector<double> saturated_;                    // the sum of the saturated costs of each projection
    std::vector<double> best_;                         // of each sample
    std::uint32_t orders_ = 0;
    std::uint64_t work_ = 0;
};

}  // namespace

Tables combine(const ProjectedTask& task, const Collection& collection, const PatternOptions& options, Stop& stop) {
    return Combiner(task, collection, options, stop).run();
}

}  // namespace gpaplan
