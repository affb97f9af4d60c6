#include "patterns/potential.hpp"

#include <algorithm>
#include <limits>

namespace gpaplan {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t transitions_of_a_state = 40;

class Finder {
public:
    Finder(const ProjectedTask& task, std::uint32_t variable, std::span<const double> costs,
           const PotentialLimits& limits, Stop& stop)
        : task_(task), variable_(variable), costs_(costs), limits_(limits), stop_(stop) {}

    std::optional<Potential> run() {
        for (std::uint32_t value = 0; value < task_.variables.domain_size(variable_); ++value)
            consider({variable_}, value);
        while (best_ && best_->projection.variables.size() < limits_.variables && extend()) {
        }
        if (!best_) return {};
        return potential();
    }

private:
    struct Candidate {
        std::uint32_t level;
        Projection projection;
        AbstractValues values;
        std::vector<double> needed;  // of each label
        double raise;                // of the costs of actions that somebody pays for, in all
    };

    // Keeps what is best so far; returns whether that is this one.
    bool consider(Indices pattern, std::uint32_t level) {
        if (task_.number_of_states(pattern) > static_cast<double>(limits_.states)) return false;
        auto projection =
            project_to(task_, std::move(pattern), {variable_, level}, transitions_of_a_state * limits_.states, stop_);
        if (!projection) return false;
        auto values = solve(*projection, label_costs(*projection, costs_), infinity, stop_);
        for (Rank rank = 0; rank < projection->size(); ++rank)
            if (projection->kinds[rank] != Projection::Kind::impossible && values.of[rank] == infinity) return false;
        auto needed = balance(*projection, values);
        double raise = 0;
        for (LabelId label = 0; label < needed.size(); ++label)
            for (auto action : projection->actions[label])
                if (costs_[action] < task_.costs[action]) raise += std::max(0.0, -needed[label]);
        if (!(raise > (best_ ? best_->raise : 0) * (1 + 1e-6))) return false;
        best_.emplace(Candidate{level, std::move(*projection), std::move(values), std::move(needed), raise});
        return true;
    }

    // By one variable that filling up depends on.
    bool extend() {
        const auto pattern = best_->projection.variables;
        const auto level = best_->level;
        bool is_better = false;
        for (auto other : task_.conditions[variable_]) {
            if (std::ranges::find(pattern, other) != pattern.end()) continue;
            auto larger = pattern;
            larger.push_back(other);
            std::ranges::sort(larger);
            is_better = consider(std::move(larger), level) || is_better;
        }
        return is_better;
    }

    Potential potential() {
        auto& [level, projection, values, needed, raise] = *best_;
        Potential result{projection.variables, projection.radix, {}, {}, {}};
        for (LabelId label = 0; label < needed.size(); ++label) {
            for (auto action : projection.actions[label]) {
                result.actions.push_back(action);
                result.needed.push_back(needed[label]);
            }
        }
        double highest = 0;
        for (Rank rank = 0; rank < projection.size(); ++rank)
            if (projection.kinds[rank] != Projection::Kind::impossible) highest = std::max(highest, values.of[rank]);
        for (Rank rank = 0; rank < projection.size(); ++rank) {
            const bool exists = projection.kinds[rank] != Projection::Kind::impossible;
            values.of[rank] = exists ? values.of[rank] - highest : 0;
        }
        result.values = std::move(values);
        return result;
    }

    // What each label needs for the values to be consistent.
    static std::vector<double> balance(const Projection& projection, const AbstractValues& values) {
        std::vector<double> result(projection.actions.size(), -infinity);
        for (std::size_t id = 0; id + 1 < projection.transitions.size(); ++id) {
            const auto& transition = projection.transitions[id];
            double needed = 0;
            for (auto k = transition.begin; k < projection.transitions[id + 1].begin; ++k)
                needed +=
                    projection.probabilities[k] * (values.of[transition.from] - values.of[projection.successors[k]]);
            result[transition.label] = std::max(result[transition.label], needed);
        }
        for (LabelId label = 0; label < result.size(); ++label)
            if (projection.may_stay[label] != 0 || result[label] == -infinity)
                result[label] = std::max(result[label], 0.0);
        return result;
    }

    const ProjectedTask& task_;
    std::uint32_t variable_;
    std::span<const double> costs_;
    const PotentialLimits& limits_;
    Stop& stop_;
    std::optional<Candidate> best_;
};

}  // namespace

std::optional<Potential> find_potential(const ProjectedTask& task, std::uint32_t variable,
                                        std::span<const double> costs, const PotentialLimits& limits, Stop& stop) {
    return Finder(task, variable, costs, limits, stop).run();
}

}  // namespace gpaplan
