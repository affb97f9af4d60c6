#include "policies/kept_choices.hpp"

#include <algorithm>

namespace gpaplan {

namespace {

// The steps from one state: each successor once, with the probability that the action drawn leads there.
class Steps {
public:
    void clear() { entries_.clear(); }
    void add(StateId successor, double probability) { entries_.emplace_back(successor, probability); }
    void write(MarkovChain& chain) {
        std::ranges::sort(entries_);
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            if (i > 0 && entries_[i].first == entries_[i - 1].first) {
                chain.probabilities.back() += entries_[i].second;
            } else {
                chain.successors.values.push_back(entries_[i].first);
                chain.probabilities.push_back(entries_[i].second);
            }
        }
    }

private:
    std::vector<std::pair<StateId, double>> entries_;
};

}  // namespace

std::vector<Prospect> evaluate_choices(StateSpace& space, const std::vector<Indices>& kept, double dead_end_cost,
                                       Stop& stop) {
    const auto end_at = [&](StateId state) {
        return space.is_goal(state) ? Prospect{1, 0} : Prospect{0, dead_end_cost};
    };
    MarkovChain chain;
    Steps steps;
    std::vector<Transition> drawn;
    const auto size = space.size();
    for (StateId state = 0; state < size; ++state) {
        stop.poll();
        drawn.clear();
        if (state < kept.size() && !kept[state].empty() && !space.is_goal(state))
            for (const auto transition : space.expand(state))
                if (std::ranges::find(kept[state], transition.action) != kept[state].end()) drawn.push_back(transition);
        const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, drawn.size()));
        steps.clear();
        Prospect visit = end_at(state);
        if (!drawn.empty()) visit.cost = 0;
        for (const auto& transition : drawn) {
            visit.cost += share * space.numbers()[transition.cost];
            for (const auto& outcome : transition.outcomes)
                if (space.numbers()[outcome.probability] > 0)
                    steps.add(outcome.successor, share * space.numbers()[outcome.probability]);
        }
        steps.write(chain);
        chain.successors.close();
        chain.visits.push_back(visit);
    }
    // What was met only now, if anything, has no action kept.
    for (auto state = size; state < space.size(); ++state) {
        chain.successors.close();
        chain.visits.push_back(end_at(state));
    }
    return solve_chain(chain, stop).prospects;
}

}  // namespace gpaplan
