#include "automata/rule_rows.hpp"

#include <cmath>
#include <unordered_set>

// Counting bits is most of the work. Processors that have an instruction for it are asked at run time.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define GPAPLAN_COUNTS_BITS __attribute__((target_clones("default", "popcnt")))
#else
#define GPAPLAN_COUNTS_BITS
#endif

namespace gpaplan {

namespace {

// The numbers of bits in a, and in both a and b.
GPAPLAN_COUNTS_BITS std::uint32_t count_bits(const Word* a, std::size_t size) {
    std::uint32_t count = 0;
    for (std::size_t w = 0; w < size; ++w) count += static_cast<std::uint32_t>(std::popcount(a[w]));
    return count;
}
GPAPLAN_COUNTS_BITS std::uint32_t count_both(const Word* a, const Word* b, std::size_t size) {
    std::uint32_t count = 0;
    for (std::size_t w = 0; w < size; ++w) count += static_cast<std::uint32_t>(std::popcount(a[w] & b[w]));
    return count;
}
// The ends of the runs, each of which ends with a bit of `last`, that have a bit in `rows`; returns how many there are.
GPAPLAN_COUNTS_BITS std::uint32_t find_runs(const Word* rows, const Word* last, std::size_t size, Word* ends) {
    std::uint32_t count = 0;
    Word carry = 0;
    for (std::size_t w = 0; w < size; ++w) {
        const Word inner = ~last[w];
        Word sum = (rows[w] & inner) + inner;
        Word overflow = sum < inner ? 1 : 0;
        sum += carry;
        overflow |= sum < carry ? 1 : 0;
        ends[w] = (sum | rows[w]) & last[w];
        count += static_cast<std::uint32_t>(std::popcount(ends[w]));
        carry = overflow;
    }
    return count;
}

std::uint64_t mark_of(const std::vector<Word>& rows) {
    std::uint64_t mark = 0x9e3779b97f4a7c15U;
    for (auto word : rows) mark = (mark ^ (word + (mark << 6U) + (mark >> 2U))) * 0xbf58476d1ce4e5b9U;
    return mark ^ (mark >> 31U);
}

// The better one first; the order of literals, which is that of their complexity, decides between equals.
bool is_better(const RuleScore& a, const RuleScore& b) {
    return a.score != b.score ? a.score > b.score : a.literal < b.literal;
}

}  // namespace

RuleRows::RuleRows(Indices states, std::vector<std::vector<Word>> columns, Indices complexities)
    : states_(std::move(states)),
      last_((states_.size() + 63) / 64, 0),
      columns_(std::move(columns)),
      complexities_(std::move(complexities)),
      active_(last_.size(), 0) {
    if (!std::ranges::is_sorted(states_)) throw std::invalid_argument("the rows of a state must lie side by side");
    if (complexities_.size() != columns_.size()) throw std::invalid_argument("each column has a complexity");
    for (const auto& column : columns_)
        if (column.size() != last_.size()) throw std::invalid_argument("a column is too short or too long");
    for (std::uint32_t row = 0; row < size(); ++row) {
        set_bit(active_.data(), row);
        if (row + 1 == size() || states_[row + 1] != states_[row]) set_bit(last_.data(), row);
    }
}

std::vector<RuleRows::Plane> RuleRows::planes_of(const std::vector<double>& numbers) {
    std::vector<Plane> planes(digits + 1);
    for (std::uint32_t digit = 0; digit < digits; ++digit) planes[digit].weight = unit * (1U << digit);
    planes[digits].weight = forbidden;
    for (auto& plane : planes) plane.rows.assign((numbers.size() + 63) / 64, 0);
    for (std::uint32_t row = 0; row < numbers.size(); ++row) {
        if (numbers[row] >= forbidden) {
            set_bit(planes[digits].rows.data(), row);
            continue;
        }
        constexpr double tolerance = 1e-4;  // of the values that regrets are differences of
        const double units = std::ceil(std::min(most, numbers[row]) / unit - tolerance);
        const auto number = static_cast<std::uint32_t>(std::max(0.0, units));
        for (std::uint32_t digit = 0; digit < digits; ++digit)
            if ((number >> digit & 1U) != 0) set_bit(planes[digit].rows.data(), row);
    }
    std::erase_if(planes, [](const Plane& plane) {
        return std::ranges::all_of(plane.rows, [](Word word) { return word == 0; });
    });
    return planes;
}

double RuleRows::sum(const std::vector<Plane>& planes, const std::vector<Word>& rows) {
    double sum = 0;
    for (const auto& plane : planes) sum += plane.weight * count_both(rows.data(), plane.rows.data(), rows.size());
    return sum;
}

void RuleRows::set_regrets(const std::vector<double>& regrets) {
    if (regrets.size() != states_.size()) throw std::invalid_argument("each row has a regret");
    regrets_ = planes_of(regrets);
}

void RuleRows::set_losses(const std::vector<double>& losses) {
    std::ranges::fill(active_, 0);
    std::vector<double> at_last(size(), 0);
    for (std::uint32_t row = 0; row < size(); ++row) {
        const double loss = losses.at(states_[row]);
        if (loss <= 0) continue;
        set_bit(active_.data(), row);
        if (test_bit(last_.data(), row)) at_last[row] = std::min(loss, most);
    }
    losses_ = planes_of(at_last);
}

std::vector<Word> RuleRows::mask(const std::vector<RuleLiteral>& rule) const {
    auto rows = active_;
    for (auto literal : rule) {
        const auto& column = columns_.at(literal / 2);
        const Word flip = literal % 2 == 0 ? 0 : ~Word{0};
        for (std::size_t w = 0; w < rows.size(); ++w) rows[w] &= column[w] ^ flip;
    }
    return rows;
}

double RuleRows::complexity(const std::vector<RuleLiteral>& rule) const {
    double sum = 0;
    for (auto literal : rule) sum += complexities_[literal / 2];
    return sum;
}

Indices RuleRows::fitting(const std::vector<RuleLiteral>& rule) const {
    const auto rows = mask(rule);
    return bits_set(rows.data(), static_cast<std::uint32_t>(rows.size()));
}

RuleScore RuleRows::score(const std::vector<RuleLiteral>& rule, const RuleWeights& weights) const {
    const auto rows = mask(rule);
    RuleScore found;
    found.rows = count_bits(rows.data(), rows.size());
    auto ends = rows;
    found.states = find_runs(rows.data(), last_.data(), rows.size(), ends.data());
    found.regret = found.rows == 0 ? 0 : sum(regrets_, rows) / found.rows;
    found.score = sum(losses_, ends) - found.states * found.regret - weights.complexity * complexity(rule);
    found.mark = mark_of(rows);
    return found;
}

std::vector<RuleScore> RuleRows::extend(const std::vector<RuleLiteral>& rule, const RuleWeights& weights,
                                        std::uint32_t columns, std::uint32_t most_rules, Stop& stop) const {
    const auto base = mask(rule);
    const auto all = count_bits(base.data(), base.size());
    const double before = complexity(rule);
    double worst = 0;  // a bound of the losses of states
    for (const auto& plane : losses_) worst += plane.weight;
    std::vector<RuleScore> best;
    std::unordered_set<std::uint64_t> known;
    std::vector<Word> rows(base.size());
    std::vector<Word> ends(base.size());
    for (RuleLiteral literal = 0; literal < 2 * std::min(columns, column_count()); ++literal) {
        stop.poll(1 + base.size() / 64);
        const auto& column = columns_[literal / 2];
        const Word flip = literal % 2 == 0 ? 0 : ~Word{0};
        for (std::size_t w = 0; w < rows.size(); ++w) rows[w] = base[w] & (column[w] ^ flip);
        RuleScore found;
        found.literal = literal;
        found.rows = count_bits(rows.data(), rows.size());
        if (found.rows == 0 || found.rows == all) continue;
        const double simplicity = weights.complexity * (before + complexities_[literal / 2]);
        found.states = find_runs(rows.data(), last_.data(), rows.size(), ends.data());
        // More literals cover no more states: without any regret, this is the best that can come of it.
        if (found.states * worst - simplicity <= weights.beat) continue;
        found.score = sum(losses_, ends) - simplicity;
        if (found.score <= weights.beat) continue;
        const bool is_full = best.size() == most_rules;
        if (is_full && !is_better(found, best.back())) continue;  // the regret can but make it worse
        found.regret = sum(regrets_, rows) / found.rows;
        found.score -= found.states * found.regret;
        if (is_full && !is_better(found, best.back())) continue;
        found.mark = mark_of(rows);
        // Literals come by ascending complexity: the first of those that keep the same rows is the simplest.
        if (!known.insert(found.mark).second) continue;
        if (is_full) best.pop_back();
        best.insert(std::ranges::upper_bound(best, found, is_better), found);
    }
    return best;
}

}  // namespace gpaplan
