#include "automata/ties.hpp"

#include "base/marks.hpp"

namespace gpaplan {

namespace {

class TieBreaker {
public:
    TieBreaker(Search& search, Ties ties, double tolerance, Abstraction& abstraction, const EdgeSet& edges)
        : search_(search),
          space_(search.space()),
          ties_(ties),
          tolerance_(tolerance),
          abstraction_(abstraction),
          known_(edges),
          column_(abstraction) {}

    std::vector<TieChoice> run() {
        while (!walk()) search_.check_convergence();
        return choices_;
    }

private:
    // One walk over the states that the choices reach; returns whether all values were right already.
    bool walk() {
        bool right = true;
        edges_ = known_;
        choices_.clear();
        std::vector<StateId> queue{space_.initial()};
        Marks met;
        met.insert(space_.initial(), space_.size());
        for (std::size_t i = 0; i < queue.size(); ++i) {
            const auto state = queue[i];
            if (search_.is_goal(state) || search_.is_dead_end(state)) continue;
            right = search_.backup(state) <= search_.epsilon() && right;
            if (search_.is_dead_end(state)) continue;
            for (const auto& transition : choose(state)) {
                choices_.push_back({state, transition.action});
                for (const auto& outcome : transition.outcomes)
                    if (met.insert(outcome.successor, space_.size())) queue.push_back(outcome.successor);
            }
        }
        return right;
    }

    std::vector<Transition> choose(StateId state) {
        std::vector<Transition> best;
        source_ = abstraction_.enter(space_.bits(state));
        for (const auto transition : space_.expand(state))
            if (search_.action_value(state, transition) <= search_.value(state) + tolerance_)
                best.push_back(transition);
        if (ties_ == Ties::all || best.size() < 2) {
            for (const auto& transition : best) count_new(transition, true);
            return best;
        }
        std::size_t chosen = 0;
        if (ties_ == Ties::harmonize) {
            std::size_t fewest = ~std::size_t{0};
            for (std::size_t i = 0; i < best.size() && fewest > 0; ++i) {
                const auto added = count_new(best[i], false);
                if (added < fewest) {
                    fewest = added;
                    chosen = i;
                }
            }
        }
        count_new(best[chosen], true);
        return {best[chosen]};
    }

    // How many abstract transitions an action of the state entered would add; adds them if asked to.
    std::size_t count_new(const Transition& transition, bool add) {
        const auto action = abstraction_.action(transition.action);
        std::size_t count = 0;
        for (const auto& outcome : transition.outcomes) {
            const auto target = column_(outcome.successor, space_.bits(outcome.successor));
            if (edges_.has(source_, action, target)) continue;
            ++count;
            if (add) edges_.add(source_, action, target);
        }
        return count;
    }

    Search& search_;
    StateSpace& space_;
    Ties ties_;
    double tolerance_;
    Abstraction& abstraction_;
    const EdgeSet& known_;
    AbstractColumn column_;
    EdgeSet edges_;
    AbstractId source_ = no_id;  // the abstraction of the state entered
    std::vector<TieChoice> choices_;
};

}  // namespace

std::vector<TieChoice> choose_optimal_actions(Search& search, Ties ties, double tolerance, Abstraction& abstraction,
                                              const EdgeSet& edges) {
    return TieBreaker(search, ties, tolerance, abstraction, edges).run();
}

}  // namespace gpaplan
