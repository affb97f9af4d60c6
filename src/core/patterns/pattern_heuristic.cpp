#include "patterns/pattern_heuristic.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gpaplan {

namespace {

constexpr std::size_t most_renamings = 128;
constexpr double worth_while = 0.02;  // the share by which renamings must raise the estimates of the samples

Indices without_renaming(const Symmetry& symmetry) {
    Indices result(symmetry.object_count());
    std::iota(result.begin(), result.end(), 0);
    return result;
}

// The objects that objects become, by each renaming but the one that changes nothing; none if there are too many.
std::vector<Indices> all_renamings(const Symmetry& symmetry) {
    std::size_t count = 1;
    for (const auto& members : symmetry.classes())
        for (std::size_t i = 2; i <= members.size() && count <= most_renamings; ++i) count *= i;
    if (count > most_renamings) return {};
    std::vector<Indices> images{without_renaming(symmetry)};
    for (const auto& members : symmetry.classes()) {
        const auto others = images;
        auto moved = members;
        while (std::ranges::next_permutation(moved).found) {
            for (auto image : others) {
                for (std::size_t i = 0; i < members.size(); ++i) image[members[i]] = moved[i];
                images.push_back(std::move(image));
            }
        }
    }
    images.erase(images.begin());
    return images;
}

// The same of renamings that swap two objects.
std::vector<Indices> all_swaps(const Symmetry& symmetry) {
    std::vector<Indices> images;
    for (const auto& members : symmetry.classes()) {
        if (images.size() + members.size() * (members.size() - 1) / 2 > most_renamings) return {};
        for (std::size_t i = 0; i < members.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                images.push_back(without_renaming(symmetry));
                std::swap(images.back()[members[i]], images.back()[members[j]]);
            }
        }
    }
    return images;
}

}  // namespace

PatternHeuristic::PatternHeuristic(const Task& task, const PatternOptions& options, Stop& stop)
    : task_(task),
      least_cost_(task.effects.empty() ? 0 : std::max(0.0, cheapest_action(task))),
      variables_(),
      values_(variables_) {
    const ProjectedTask projected(task, stop);
    auto collection = collect_patterns(projected, options.collection, stop);
    auto tables = combine(projected, collection, options.partition, stop);
    work_ = collection.work;
    samples_ = std::move(collection.states);
    variables_ = projected.variables;
    values_ = StateValues(variables_);
    tables_ = std::move(tables.tables);
    sums_ = std::move(tables.sums);
    const bool may_give_up = options.partition.give_up < std::numeric_limits<double>::infinity();
    for (auto& projection : collection.projections) {
        Pattern pattern{std::move(projection.variables), std::move(projection.radix), {}};
        pattern.dead = std::move(may_give_up ? projection.hopeless : projection.improper);
        for (Rank rank = 0; rank < pattern.dead.size(); ++rank) {
            if (projection.kinds[rank] == Projection::Kind::impossible) pattern.dead[rank] = 0;
            pattern.has_dead = pattern.has_dead || pattern.dead[rank] != 0;
        }
        pattern.is_used = pattern.has_dead;
        if (!pattern.has_dead) pattern.dead = {};
        patterns_.push_back(std::move(pattern));
    }
    for (const auto& table : tables_) patterns_[table.projection].is_used = true;
    ranks_.resize(patterns_.size());
    if (options.symmetry != nullptr) find_renamings(options.symmetry);
}

void PatternHeuristic::find_renamings(const std::shared_ptr<const Symmetry>& symmetry) {
    Canonicaliser canonicaliser(symmetry);
    const double without = worth(canonicaliser);
    auto images = all_renamings(*symmetry);
    climbs_ = images.empty();
    if (climbs_) images = all_swaps(*symmetry);
    for (const auto& image : images) {
        renamings_.emplace_back();
        for (AtomId atom = 0; atom < task_.atom_count(); ++atom)
            renamings_.back().push_back(symmetry->map_atom(atom, image));
    }
    if (!(worth(canonicaliser) > (1 + worth_while) * without)) renamings_.clear();
}

// What it says of the representatives of the sample states, dead ends left out.
double PatternHeuristic::worth(Canonicaliser& canonicaliser) {
    double sum = 0;
    for (auto state : samples_) {
        canonicaliser.canonicalise(state.data());
        if (const double value = evaluate(state.data()); value < std::numeric_limits<double>::infinity()) sum += value;
    }
    return sum;
}

double PatternHeuristic::evaluate(const Word* state) {
    if (holds(task_, task_.goal, state)) return 0;
    double best = look_up(values_.read(state, task_.word_count()));
    if (renamings_.empty()) return best;
    renamed_.assign(state, state + task_.word_count());
    for (bool goes_on = true; goes_on;) {
        const Indices* better = nullptr;
        for (const auto& renaming : renamings_) {
            const double value = look_up(values_.read(renamed_.data(), task_.word_count(), renaming));
            if (!(value > best)) continue;
            best = value;
            better = &renaming;
        }
        goes_on = climbs_ && better != nullptr;
        if (goes_on) rename(*better);
    }
    return best;
}

void PatternHeuristic::rename(const Indices& renaming) {
    before_ = renamed_;
    std::ranges::fill(renamed_, 0);
    for_each_bit(before_.data(), task_.word_count(), [&](AtomId atom) { set_bit(renamed_.data(), renaming[atom]); });
}

// Of the state that was read last.
double PatternHeuristic::look_up(bool is_possible) {
    if (!is_possible) return least_cost_;
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
        const auto& pattern = patterns_[i];
        if (!pattern.is_used) continue;
        ranks_[i] = values_.rank(pattern.variables, pattern.radix);
        if (pattern.has_dead && pattern.dead[ranks_[i]] != 0) return std::numeric_limits<double>::infinity();
    }
    double best = least_cost_;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        double sum = 0;
        for (auto table : sums_[i]) sum += tables_[table].values[ranks_[tables_[table].projection]];
        best = std::max(best, sum);
    }
    return best;
}

std::vector<Indices> PatternHeuristic::patterns() const {
    std::vector<Indices> result;
    for (const auto& pattern : patterns_)
        if (pattern.is_used) result.push_back(pattern.variables);
    return result;
}

std::uint64_t PatternHeuristic::bytes() const {
    std::uint64_t result = 0;
    for (const auto& table : tables_) result += sizeof(float) * table.values.capacity();
    for (const auto& pattern : patterns_) result += pattern.dead.capacity();
    return result;
}

}  // namespace gpaplan
