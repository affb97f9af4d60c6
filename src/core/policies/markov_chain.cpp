#include "policies/markov_chain.hpp"

#include <queue>

#include "base/components.hpp"
#include "base/ids.hpp"

namespace gpaplan {

namespace {

// The equations of one component's states 0 … n-1, solved by elimination:
//
//     (exit(i) + Σ p(i, j)) x(i) = constant(i) + Σ p(i, j) x(j)      over the j ≠ i not yet eliminated
//
// where exit(i) is the probability of leaving the component. An eliminated row is divided by its left-hand factor and
// keeps its entries, so that x(i) follows from the rows eliminated later.
class Elimination {
public:
    explicit Elimination(Stop& stop) : stop_(stop) {}

    void start(std::uint32_t size) {
        if (rows_.size() < size) {
            rows_.resize(size);
            columns_.resize(size);
        }
        for (std::uint32_t i = 0; i < size; ++i) {
            rows_[i].clear();
            columns_[i].clear();
        }
        size_ = size;
        in_degree_.assign(size, 0);
        eliminated_.assign(size, false);
        spread_.assign(size, 0.0);
        exit_.assign(size, 0.0);
        constant_.assign(size, Prospect{});
    }

    // Each pair of states at most once. Self-loops are left out: they only delay, which the left-hand factor knows.
    void add_step(std::uint32_t from, std::uint32_t to, double probability) {
        rows_[from].push_back({to, probability});
        columns_[to].push_back(from);
        ++in_degree_[to];
    }
    void add_exit(std::uint32_t from, double probability) { exit_[from] += probability; }
    void add_constant(std::uint32_t state, double weight, const Prospect& value) {
        constant_[state].goal += weight * value.goal;
        constant_[state].cost += weight * value.cost;
    }

    const std::vector<Prospect>& solve() {
        for (std::uint32_t i = 0; i < size_; ++i) enqueue(i);
        order_.clear();
        while (!queue_.empty()) {
            const auto [fill, state] = queue_.top();
            queue_.pop();
            if (eliminated_[state] || fill != fill_bound(state)) continue;
            eliminate(state);
            order_.push_back(state);
        }
        for (auto at = order_.rbegin(); at != order_.rend(); ++at)  // constant becomes x
            for (const auto& entry : rows_[*at]) add_constant(*at, entry.probability, constant_[entry.column]);
        return constant_;
    }

private:
    struct Entry {
        std::uint32_t column;
        double probability;
    };

    // Markowitz: at most so many entries are new when a state is eliminated.
    std::uint64_t fill_bound(std::uint32_t state) const {
        return std::uint64_t{in_degree_[state]} * rows_[state].size();
    }
    void enqueue(std::uint32_t state) { queue_.emplace(fill_bound(state), state); }

    void eliminate(std::uint32_t state) {
        eliminated_[state] = true;
        divide(state);
        for (const auto& entry : rows_[state]) --in_degree_[entry.column];
        for (auto row : columns_[state])
            if (!eliminated_[row]) redirect(row, state);
        for (auto row : columns_[state])
            if (!eliminated_[row]) enqueue(row);
        for (const auto& entry : rows_[state]) enqueue(entry.column);
    }

    void divide(std::uint32_t state) {
        double total = exit_[state];
        for (const auto& entry : rows_[state]) total += entry.probability;
        if (!(total > 0)) {  // too small for a double
            rows_[state].clear();
            constant_[state] = {0, infinity};
            return;
        }
        for (auto& entry : rows_[state]) entry.probability /= total;
        exit_[state] /= total;
        constant_[state].goal /= total;
        constant_[state].cost /= total;
    }

    // The steps from `row` to an eliminated state go on to where it leads. What leads back to `row` is a self-loop.
    void redirect(std::uint32_t row, std::uint32_t through) {
        const double weight = take(row, through);
        exit_[row] += weight * exit_[through];
        add_constant(row, weight, constant_[through]);
        const auto& onward = rows_[through];
        for (const auto& entry : onward) spread_[entry.column] = weight * entry.probability;
        spread_[row] = 0;
        for (auto& entry : rows_[row]) {
            entry.probability += spread_[entry.column];
            spread_[entry.column] = 0;
        }
        for (const auto& entry : onward) {
            if (spread_[entry.column] == 0) continue;
            add_step(row, entry.column, spread_[entry.column]);
            spread_[entry.column] = 0;
        }
        stop_.poll(1 + (rows_[row].size() + onward.size()) / 32);
    }

    // Removes an entry of a row, and returns its probability.
    double take(std::uint32_t row, std::uint32_t column) {
        auto& entries = rows_[row];
        std::size_t at = 0;
        while (entries[at].column != column) ++at;
        const double probability = entries[at].probability;
        entries[at] = entries.back();
        entries.pop_back();
        return probability;
    }

    using Candidate = std::pair<std::uint64_t, std::uint32_t>;

    Stop& stop_;
    std::uint32_t size_ = 0;
    std::vector<std::vector<Entry>> rows_;
    std::vector<Indices> columns_;  // the rows with an entry in a column, and eliminated ones
    Indices in_degree_;             // entries in a column, of rows not eliminated
    std::vector<double> exit_;
    std::vector<Prospect> constant_;
    std::vector<bool> eliminated_;
    std::vector<double> spread_;  // scratch: of each column
    Indices order_;
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue_;  // also outdated candidates
};

class ChainSolver {
public:
    ChainSolver(const MarkovChain& chain, Stop& stop)
        : chain_(chain),
          stop_(stop),
          components_(strongly_connected_components(chain.successors, stop)),
          local_(chain.size(), 0),
          elimination_(stop) {
        solution_.prospects.resize(chain.size());
    }

    ChainSolution run() {
        for (std::uint32_t i = 0; i < components_.size(); ++i) {
            if ((i & 0xfffU) == 0) stop_.look();
            const auto members = components_.members[i];
            if (members.size() == 1)
                solve_state(members[0]);
            else
                solve_component(i, members);
        }
        return std::move(solution_);
    }

private:
    template <typename Visit>
    void for_each_step(std::uint32_t state, Visit visit) const {
        const auto& successors = chain_.successors;
        for (auto at = successors.begin[state]; at < successors.begin[state + 1]; ++at)
            visit(successors.values[at], chain_.probabilities[at]);
    }

    void solve_state(std::uint32_t state) {
        auto& prospect = solution_.prospects[state];
        prospect = chain_.visits[state];
        if (chain_.successors[state].empty()) return;
        double leaving = 0;
        for_each_step(state, [&](std::uint32_t successor, double probability) {
            if (successor == state) return;
            leaving += probability;
            prospect.goal += probability * solution_.prospects[successor].goal;
            prospect.cost += probability * solution_.prospects[successor].cost;
        });
        if (leaving > 0) {
            prospect.goal /= leaving;
            prospect.cost /= leaving;
        } else {
            prospect = {0, infinity};
            solution_.has_trap = true;
        }
    }

    void solve_component(std::uint32_t component, IndexSpan members) {
        const auto size = static_cast<std::uint32_t>(members.size());
        elimination_.start(size);
        for (std::uint32_t i = 0; i < size; ++i) local_[members[i]] = i;
        bool has_exit = false;
        bool is_finite = true;  // the states reach each other: either all costs are finite or none is
        for (std::uint32_t i = 0; i < size; ++i) {
            is_finite &= add_constant(i, 1, chain_.visits[members[i]]);
            for_each_step(members[i], [&](std::uint32_t successor, double probability) {
                if (components_.component_of[successor] == component) {
                    if (local_[successor] != i) elimination_.add_step(i, local_[successor], probability);
                    return;
                }
                has_exit = true;
                elimination_.add_exit(i, probability);
                is_finite &= add_constant(i, probability, solution_.prospects[successor]);
            });
        }
        if (has_exit) {
            const auto& values = elimination_.solve();
            for (std::uint32_t i = 0; i < size; ++i)
                solution_.prospects[members[i]] = {values[i].goal, is_finite ? values[i].cost : infinity};
        } else {
            for (auto member : members) solution_.prospects[member] = {0, infinity};
            solution_.has_trap = true;
        }
    }

    // Whether the cost is finite; an infinite one stays out of the equations.
    bool add_constant(std::uint32_t state, double weight, const Prospect& value) {
        const bool is_finite = value.cost < infinity;
        elimination_.add_constant(state, weight, {value.goal, is_finite ? value.cost : 0});
        return is_finite;
    }

    const MarkovChain& chain_;
    Stop& stop_;
    Components components_;
    Indices local_;  // of each state: its place among the members of its component
    Elimination elimination_;
    ChainSolution solution_;
};

}  // namespace

ChainSolution solve_chain(const MarkovChain& chain, Stop& stop) { return ChainSolver(chain, stop).run(); }

}  // namespace gpaplan
