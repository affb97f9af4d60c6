// The landmark cut heuristic (Helmert and Domshlak 2009), on operators in cost groups.
//
// Under h-max each operator has a supporter: its dearest precondition. In the graph with an edge from the supporter to
// each add of every operator, every plan makes a path to the goal. The goal zone are the facts from which the goal can
// be reached at no cost; the operators that lead into it from facts that can be reached without it are a cut. Its least
// cost is added to the estimate and taken off the groups of all of them; h-max is brought up to date, until it is 0.
//
// A group is charged at most its cost in all, so the estimate is admissible. But a charge also makes operators of the
// group cheaper that are not in the cut, so the sum may stay below h-max; the larger of the two is returned. Each cut
// looks at the goal zone, at what leads into it, and at the facts whose h-max changes; not at the whole task.

#include "heuristics/cost_queue.hpp"
#include "heuristics/relaxation_heuristics.hpp"

namespace gpaplan {

namespace {

template <typename Cost>
class LandmarkCut final : public Heuristic {
public:
    explicit LandmarkCut(Relaxation relaxation)
        : relaxation_(std::move(relaxation)),
          added_by_(invert(relaxation_.adds, relaxation_.fact_count)),
          fact_costs_(relaxation_.fact_count),
          marks_(relaxation_.fact_count, 0),
          group_marks_(relaxation_.group_costs.size(), 0) {
        const auto costs = operator_costs<Cost>(relaxation_);
        initial_.reserve(costs.size());
        for (OperatorId op = 0; op < costs.size(); ++op)
            initial_.push_back({static_cast<std::uint32_t>(relaxation_.preconditions[op].size()), no_id, 0, costs[op]});
        operators_.resize(initial_.size());
    }

    double evaluate(const Word* state) override {
        steps_ = 0;
        explore(state);
        const Operator& goal = operators_[Relaxation::goal];
        if (goal.unsatisfied != 0) return infinity;
        const Cost maximum = goal.supporter_cost;
        Cost sum = 0;
        while (goal.supporter_cost > 0) {
            find_goal_zone();
            const Cost least = find_cut();
            sum = std::min(CostRange<Cost>::largest, sum + least);
            charge(least);
            update();
        }
        return in_units_of_the_task(relaxation_, std::max(sum, maximum));
    }
    bool is_admissible() const override { return true; }
    std::uint64_t evaluation_cost() const override { return cost_of_steps(steps_); }

private:
    struct Operator {
        std::uint32_t unsatisfied;
        FactId supporter;
        Cost supporter_cost;
        Cost cost;
    };

    void count(std::uint64_t steps) {
        steps_ += steps;
        this->poll(steps);
    }

    // What one round knows of a fact; marks of earlier rounds are smaller than those of the present one.
    enum Mark : std::uint8_t { in_zone, met, reachable, unreachable };
    std::uint64_t mark(Mark mark) const { return 4 * round_ + mark; }
    bool is_marked(FactId fact) const { return marks_[fact] >= 4 * round_; }

    void explore(const Word* state) {
        std::ranges::fill(fact_costs_, CostRange<Cost>::infinity);
        std::ranges::copy(initial_, operators_.begin());
        queue_.clear();  // the evaluation before may have been stopped
        relaxation_.visit_facts(state, [&](FactId fact) {
            fact_costs_[fact] = 0;
            queue_.push(0, fact);
        });
        while (!queue_.empty()) {
            const auto [cost, fact] = queue_.pop();
            if (fact_costs_[fact] < cost) continue;
            count(steps_of_fact + relaxation_.precondition_of[fact].size());
            for (auto op : relaxation_.precondition_of[fact]) {
                if (--operators_[op].unsatisfied != 0) continue;
                operators_[op].supporter = fact;
                operators_[op].supporter_cost = cost;
                reach(op);
            }
        }
    }

    // All facts of the zone cost something: else the goal would cost nothing.
    void find_goal_zone() {
        ++round_;
        candidates_.clear();
        open_.assign(1, operators_[Relaxation::goal].supporter);
        marks_[open_.front()] = mark(in_zone);
        while (!open_.empty()) {
            const auto fact = open_.back();
            open_.pop_back();
            count(steps_of_fact + added_by_[fact].size());
            for (auto op : added_by_[fact]) {
                const auto& achiever = operators_[op];
                if (achiever.unsatisfied != 0) continue;
                if (achiever.cost > 0) {
                    candidates_.push_back(op);
                } else if (!is_marked(achiever.supporter)) {
                    marks_[achiever.supporter] = mark(in_zone);
                    open_.push_back(achiever.supporter);
                }
            }
        }
    }

    // Collects the groups of the cut and returns the least of their costs.
    Cost find_cut() {
        cut_.clear();
        Cost least = CostRange<Cost>::infinity;
        for (auto op : candidates_) {
            const auto group = relaxation_.groups[op];
            if (group_marks_[group] == round_ || !is_reachable(operators_[op].supporter)) continue;
            group_marks_[group] = round_;
            cut_.push_back(group);
            least = std::min(least, operators_[op].cost);
        }
        return least;
    }

    // Whether a fact can be reached from the state, in the graph of supporters, without the goal zone. Searches
    // backwards, and looks at each fact once in a round: if the search succeeds, the facts that it met count as
    // reachable. For some this may be wrong; the cut is then larger than it need be, but a cut.
    bool is_reachable(FactId fact) {
        const auto is_known = [&](FactId f) { return fact_costs_[f] == 0 || marks_[f] == mark(reachable); };
        if (is_known(fact)) return true;
        if (is_marked(fact)) return false;
        open_.assign(1, fact);
        marks_[fact] = mark(met);
        const auto close = [&](Mark result) {
            for (auto f : open_) marks_[f] = mark(result);
            return result == reachable;
        };
        for (std::size_t i = 0; i < open_.size(); ++i) {
            count(steps_of_fact + added_by_[open_[i]].size());
            for (auto op : added_by_[open_[i]]) {
                if (operators_[op].unsatisfied != 0) continue;
                const auto supporter = operators_[op].supporter;
                if (is_known(supporter)) return close(reachable);
                if (is_marked(supporter)) continue;
                marks_[supporter] = mark(met);
                open_.push_back(supporter);
            }
        }
        return close(unreachable);
    }

    void charge(Cost cost) {
        for (auto group : cut_) {
            for (auto op = relaxation_.group_begin[group]; op < relaxation_.group_begin[group + 1]; ++op) {
                operators_[op].cost = CostRange<Cost>::reduce(operators_[op].cost, cost);
                if (operators_[op].unsatisfied == 0) reach(op);
            }
        }
    }

    // Propagates decreased costs; an operator takes part if it was its supporter that became cheaper.
    void update() {
        while (!queue_.empty()) {
            const auto [cost, fact] = queue_.pop();
            if (fact_costs_[fact] < cost) continue;
            count(steps_of_fact + relaxation_.precondition_of[fact].size());
            for (auto id : relaxation_.precondition_of[fact]) {
                auto& op = operators_[id];
                if (op.supporter != fact || op.supporter_cost <= cost) continue;
                const auto before = op.supporter_cost;
                op.supporter_cost = cost;
                for (auto precondition : relaxation_.preconditions[id]) {
                    if (fact_costs_[precondition] <= op.supporter_cost) continue;
                    op.supporter = precondition;
                    op.supporter_cost = fact_costs_[precondition];
                }
                if (op.supporter_cost < before) reach(id);
            }
        }
    }

    // Tells the facts that an operator adds what it costs.
    void reach(OperatorId op) {
        const Cost cost = std::min(CostRange<Cost>::largest, operators_[op].supporter_cost + operators_[op].cost);
        for (auto fact : relaxation_.adds[op]) {
            if (fact_costs_[fact] <= cost) continue;
            fact_costs_[fact] = cost;
            queue_.push(cost, fact);
        }
    }

    Relaxation relaxation_;
    Ranges added_by_;
    std::vector<Operator> initial_;

    std::vector<Operator> operators_;
    std::vector<Cost> fact_costs_;
    typename CostRange<Cost>::Queue queue_;

    std::uint64_t round_ = 0;  // the cut, counted over all evaluations
    std::uint64_t steps_ = 0;  // of the last evaluation
    std::vector<std::uint64_t> marks_;
    std::vector<std::uint64_t> group_marks_;  // the last cut that the group was in
    Indices open_;
    Indices candidates_;  // operators that are not free and add a fact of the goal zone
    Indices cut_;         // groups
};

}  // namespace

std::unique_ptr<Heuristic> make_landmark_cut_heuristic(Relaxation relaxation) {
    return make_by_costs<LandmarkCut>(std::move(relaxation));
}

}  // namespace gpaplan
