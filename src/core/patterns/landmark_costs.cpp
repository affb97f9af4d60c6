#include "patterns/landmark_costs.hpp"

#include <algorithm>
#include <limits>

namespace gpaplan {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class Cutter {
public:
    Cutter(const Projection& projection, std::span<const double> costs, Rank from, Stop& stop)
        : projection_(projection), given_(costs), from_(from), stop_(stop) {}

    LandmarkCosts run() {
        left_.assign(given_.begin(), given_.end());
        in_zone_.assign(projection_.size(), 0);
        met_.assign(projection_.size(), 0);
        into_zone_.assign(left_.size(), 0);
        for (Rank rank = 0; rank < projection_.size(); ++rank)
            if (projection_.kinds[rank] == Projection::Kind::goal) enter(rank);
        grow();
        while (in_zone_[from_] == 0) {
            find_cut();
            if (cut_.empty()) {
                result_.of_label.assign(given_.begin(), given_.end());
                return std::move(result_);
            }
            charge();
            grow();
        }
        for (LabelId label = 0; label < left_.size(); ++label)
            result_.of_label.push_back(std::max(0.0, given_[label] - left_[label]));
        return std::move(result_);
    }

private:
    bool is_free(LabelId label) const { return left_[label] <= negligible * given_[label]; }

    void enter(Rank rank) {
        if (in_zone_[rank] != 0) return;
        in_zone_[rank] = 1;
        open_.push_back(rank);
    }

    // Adds to the zone what leads into it at no cost.
    void grow() {
        while (!open_.empty()) {
            const auto rank = open_.back();
            open_.pop_back();
            for (auto id : projection_.into[rank]) {
                look();
                if (is_free(projection_.transitions[id].label)) enter(projection_.transitions[id].from);
            }
        }
    }

    // The transitions into the zone from what can be reached outside of it, and how likely their labels lead inside.
    void find_cut() {
        cut_.clear();
        ++round_;
        path_.assign(1, from_);
        met_[from_] = round_;
        while (!path_.empty()) {
            const auto rank = path_.back();
            path_.pop_back();
            for (auto id = projection_.first[rank]; id < projection_.first[rank + 1]; ++id) {
                const auto& transition = projection_.transitions[id];
                look();
                double inside = 0;
                for (auto k = transition.begin; k < projection_.transitions[id + 1].begin; ++k) {
                    const auto next = projection_.successors[k];
                    if (in_zone_[next] != 0) {
                        inside += projection_.probabilities[k];
                    } else if (met_[next] != round_) {
                        met_[next] = round_;
                        path_.push_back(next);
                    }
                }
                if (inside == 0) continue;
                cut_.push_back(id);
                into_zone_[transition.label] = std::max(into_zone_[transition.label], inside);
            }
        }
    }

    void charge() {
        double value = infinity;
        for (auto id : cut_) {
            const auto label = projection_.transitions[id].label;
            value = std::min(value, left_[label] / into_zone_[label]);
        }
        result_.sum += value;
        for (auto id : cut_) {
            const auto label = projection_.transitions[id].label;
            left_[label] -= value * into_zone_[label];
            into_zone_[label] = 0;
        }
        for (auto id : cut_)
            if (is_free(projection_.transitions[id].label)) enter(projection_.transitions[id].from);
    }

    void look() {
        stop_.poll();
        ++result_.work;
    }

    static constexpr double negligible = 1e-9;  // a share of a cost

    const Projection& projection_;
    std::span<const double> given_;
    Rank from_;
    Stop& stop_;
    LandmarkCosts result_;
    std::vector<double> left_;  // of each label
    std::vector<std::uint8_t> in_zone_;
    std::vector<Rank> open_;  // of the zone, not looked at so far
    std::vector<Rank> path_;
    Indices met_;  // the round in which a rank was met last
    std::uint32_t round_ = 0;
    Indices cut_;                    // transitions
    std::vector<double> into_zone_;  // of each label of the cut: the largest probability to get into the zone
};

}  // namespace

LandmarkCosts landmark_costs(const Projection& projection, std::span<const double> costs, Rank from, Stop& stop) {
    return Cutter(projection, costs, from, stop).run();
}

}  // namespace gpaplan
