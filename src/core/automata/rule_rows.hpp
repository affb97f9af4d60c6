// The rows that rules about one schema are learned from, and the hot loop of learning them.
//
// A row is an applicable action of the schema in a training state; the rows of a state lie side by side. A column says
// of each row whether a literal holds of it. A rule is a conjunction of literals; it covers the states in which it fits
// some row, and all rows that it fits are kept. Each state has a loss without the rule. What the rule is worth is
//
//     losses of the covered states - covered states * mean regret of its rows - complexity weight * complexity
//
// Everything is bits: the rows that a rule fits are the conjunction of columns; regrets and losses, in eighths, are
// counted by binary digits, a plane each; and the states by one addition, whose carries run through the rows of a state
// up to its last one if any of them is set.
#pragma once

#include "base/bits.hpp"
#include "base/stop.hpp"

namespace gpaplan {

// A literal of a rule: twice the number of its column, and one more if it is negated.
using RuleLiteral = std::uint32_t;

struct RuleWeights {
    double complexity = 0;
    double beat = -std::numeric_limits<double>::infinity();  // rules whose extensions cannot score more are of no use
};

// A rule, as one literal more than another.
struct RuleScore {
    double score = 0;
    RuleLiteral literal = 0;
    std::uint32_t states = 0;  // that it covers
    std::uint32_t rows = 0;    // that it keeps
    double regret = 0;         // their mean
    std::uint64_t mark = 0;    // the same for rules that keep the same rows
};

class RuleRows {
public:
    // The training state of each row, ascending; the words of each column; the complexity of each column's literal.
    RuleRows(Indices states, std::vector<std::vector<Word>> columns, Indices complexities);

    std::uint32_t size() const { return static_cast<std::uint32_t>(states_.size()); }
    std::uint32_t column_count() const { return static_cast<std::uint32_t>(columns_.size()); }

    // Of each row. Regrets of at least `forbidden` count as that, others as `most` at most.
    void set_regrets(const std::vector<double>& regrets);
    // What each state loses without the rule, `most` at most; nothing if the rule cannot decide there: then its rows
    // do not count.
    void set_losses(const std::vector<double>& losses);

    // The rows that fit, ascending.
    Indices fitting(const std::vector<RuleLiteral>& rule) const;
    // The rule itself; its `literal` means nothing.
    RuleScore score(const std::vector<RuleLiteral>& rule, const RuleWeights& weights) const;
    // The best rules of one literal more, the best first; of those that keep the same rows the simplest, and none that
    // keeps the rows of the rule itself or no row at all. Only the first so many columns are tried. Rules are left out
    // if neither they nor rules of yet more literals can beat what is to be beaten. Throws Stopped.
    std::vector<RuleScore> extend(const std::vector<RuleLiteral>& rule, const RuleWeights& weights,
                                  std::uint32_t columns, std::uint32_t most_rules, Stop& stop) const;

    static constexpr double forbidden = 1000;
    static constexpr std::uint32_t digits = 8;
    static constexpr double unit = 0.125;
    static constexpr double most = unit * ((1U << digits) - 1);

private:
    struct Plane {
        double weight;
        std::vector<Word> rows;
    };
    static std::vector<Plane> planes_of(const std::vector<double>& numbers);
    static double sum(const std::vector<Plane>& planes, const std::vector<Word>& rows);

    std::vector<Word> mask(const std::vector<RuleLiteral>& rule) const;
    double complexity(const std::vector<RuleLiteral>& rule) const;

    Indices states_;
    std::vector<Word> last_;  // the last row of each state
    std::vector<std::vector<Word>> columns_;
    Indices complexities_;
    std::vector<Word> active_;
    std::vector<Plane> regrets_, losses_;  // none of them empty; losses are at the last rows of states
};

}  // namespace gpaplan
