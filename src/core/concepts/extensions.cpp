#include "concepts/extensions.hpp"

#include <utility>

namespace gpaplan {

Extensions::Extensions(std::vector<Evaluator*> evaluators, std::vector<Place> states)
    : evaluators_(std::move(evaluators)), states_(std::move(states)) {
    for (const auto& state : states_) {
        const auto& evaluator = *evaluators_.at(state.task);
        layout_.push_back({objects_size_, pairs_size_, distances_size_, evaluator.object_count(), evaluator.width()});
        objects_size_ += evaluator.width();
        pairs_size_ += std::size_t{evaluator.object_count()} * evaluator.width();
        distances_size_ += evaluator.object_count();
    }
    if (pairs_size_ > no_id) throw TaskTooLarge("extensions: too many states and objects");
    concepts_ = WordInterner(static_cast<std::uint32_t>(objects_size_));
    roles_ = WordInterner(static_cast<std::uint32_t>(pairs_size_));
    result_.resize(std::max(objects_size_, pairs_size_));
    all_.assign(objects_size_, 0);
    for (const auto& at : layout_)
        for (std::uint32_t x = 0; x < at.count; ++x) set_bit(all_.data() + at.objects, x);
}

Extensions::ExtensionId Extensions::concept_of(const Indices& nodes) {
    for (std::uint32_t state = 0; state < state_count(); ++state) {
        auto& evaluator = *evaluators_[states_[state].task];
        evaluator.enter(states_[state].state.data());
        const auto* objects = evaluator.objects(nodes.at(states_[state].task));
        std::copy_n(objects, layout_[state].width, result_.data() + layout_[state].objects);
    }
    return concepts_.intern(result_.data());
}

Extensions::ExtensionId Extensions::role_of(const Indices& nodes) {
    for (std::uint32_t state = 0; state < state_count(); ++state) {
        auto& evaluator = *evaluators_[states_[state].task];
        const auto& at = layout_[state];
        evaluator.enter(states_[state].state.data());
        const auto& relation = evaluator.relation(nodes.at(states_[state].task));
        for (std::uint32_t x = 0; x < at.count; ++x)
            std::copy_n(relation[x], at.width, result_.data() + at.pairs + std::size_t{x} * at.width);
    }
    return roles_.intern(result_.data());
}

std::vector<bool> Extensions::flag_of(const Indices& nodes) {
    std::vector<bool> result;
    for (const auto& place : states_) {
        auto& evaluator = *evaluators_[place.task];
        evaluator.enter(place.state.data());
        result.push_back(evaluator.holds(2 * nodes.at(place.task), {}));
    }
    return result;
}

template <typename Combine>
Extensions::ExtensionId Extensions::combine(WordInterner& interner, const Word* first, const Word* second,
                                            std::size_t size, Combine combine) {
    for (std::size_t i = 0; i < size; ++i) result_[i] = combine(first[i], second[i]);
    return interner.intern(result_.data());
}

Extensions::ExtensionId Extensions::complement(ExtensionId of) {
    return combine(concepts_, all_.data(), concepts_[of], objects_size_, [](Word a, Word b) { return a & ~b; });
}

Extensions::ExtensionId Extensions::intersection(ExtensionId first, ExtensionId second) {
    return combine(concepts_, concepts_[first], concepts_[second], objects_size_, [](Word a, Word b) { return a & b; });
}

Extensions::ExtensionId Extensions::common(ExtensionId first, ExtensionId second) {
    return combine(roles_, roles_[first], roles_[second], pairs_size_, [](Word a, Word b) { return a & b; });
}

Extensions::ExtensionId Extensions::difference(ExtensionId first, ExtensionId second) {
    return combine(roles_, roles_[first], roles_[second], pairs_size_, [](Word a, Word b) { return a & ~b; });
}

Extensions::ExtensionId Extensions::related(ExtensionId role, ExtensionId of, bool every) {
    std::fill_n(result_.data(), objects_size_, Word{0});
    const Word flipped = every ? ~Word{0} : 0;  // only to objects of the concept: to none outside
    for (const auto& at : layout_) {
        const auto* objects = concepts_[of] + at.objects;
        const auto* rows = roles_[role] + at.pairs;
        auto* result = result_.data() + at.objects;
        for (std::uint32_t x = 0; x < at.count; ++x, rows += at.width) {
            Word any = 0;
            for (std::uint32_t w = 0; w < at.width; ++w) any |= rows[w] & (objects[w] ^ flipped);
            if ((any != 0) != every) set_bit(result, x);
        }
    }
    return concepts_.intern(result_.data());
}

Extensions::ExtensionId Extensions::same(ExtensionId first, ExtensionId second) {
    std::fill_n(result_.data(), objects_size_, Word{0});
    for (const auto& at : layout_) {
        const auto* mine = roles_[first] + at.pairs;
        const auto* theirs = roles_[second] + at.pairs;
        for (std::uint32_t x = 0; x < at.count; ++x, mine += at.width, theirs += at.width) {
            Word any = 0;
            for (std::uint32_t w = 0; w < at.width; ++w) any |= mine[w];
            if (any != 0 && std::equal(mine, mine + at.width, theirs)) set_bit(result_.data() + at.objects, x);
        }
    }
    return concepts_.intern(result_.data());
}

Extensions::ExtensionId Extensions::inverse(ExtensionId role) {
    std::fill_n(result_.data(), pairs_size_, Word{0});
    for (const auto& at : layout_) {
        const auto* rows = roles_[role] + at.pairs;
        for (std::uint32_t x = 0; x < at.count; ++x)
            for_each_bit(rows + std::size_t{x} * at.width, at.width,
                         [&](std::uint32_t y) { set_bit(result_.data() + at.pairs + std::size_t{y} * at.width, x); });
    }
    return roles_.intern(result_.data());
}

Extensions::ExtensionId Extensions::closure(ExtensionId role, bool reflexive) {
    std::copy_n(roles_[role], pairs_size_, result_.data());
    for (const auto& at : layout_) {
        auto* rows = result_.data() + at.pairs;
        for (std::uint32_t middle = 0; middle < at.count; ++middle) {
            const auto* from = rows + std::size_t{middle} * at.width;
            for (std::uint32_t x = 0; x < at.count; ++x) {
                auto* to = rows + std::size_t{x} * at.width;
                if (x == middle || !test_bit(to, middle)) continue;
                for (std::uint32_t w = 0; w < at.width; ++w) to[w] |= from[w];
            }
        }
        for (std::uint32_t x = 0; reflexive && x < at.count; ++x) set_bit(rows + std::size_t{x} * at.width, x);
    }
    return roles_.intern(result_.data());
}

bool Extensions::is_empty(std::uint32_t state, ExtensionId in) const {
    const auto* objects = concepts_[in] + layout_[state].objects;
    return std::all_of(objects, objects + layout_[state].width, [](Word word) { return word == 0; });
}

const Distance* Extensions::distances(std::uint32_t state, ExtensionId to, ExtensionId along) {
    if (measured_to_ != to || measured_along_ != along) {
        distances_.assign(distances_size_, unreachable);
        for (const auto& at : layout_) find_distances(at, concepts_[to] + at.objects, roles_[along] + at.pairs);
        measured_to_ = to;
        measured_along_ = along;
    }
    return distances_.data() + layout_[state].distances;
}

// Step by step: at distance d + 1 are those without a distance so far that have a successor at distance d.
void Extensions::find_distances(const Layout& at, const Word* targets, const Word* rows) {
    auto* result = distances_.data() + at.distances;
    std::vector<Word> frontier(targets, targets + at.width), next(at.width);
    for_each_bit(targets, at.width, [&](std::uint32_t x) { result[x] = 0; });
    for (Distance distance = 1;; ++distance) {
        std::ranges::fill(next, Word{0});
        bool found = false;
        for (std::uint32_t x = 0; x < at.count; ++x) {
            if (result[x] != unreachable) continue;
            const auto* row = rows + std::size_t{x} * at.width;
            Word any = 0;
            for (std::uint32_t w = 0; w < at.width; ++w) any |= row[w] & frontier[w];
            if (any == 0) continue;
            result[x] = distance;
            set_bit(next.data(), x);
            found = true;
        }
        if (!found) return;
        std::swap(frontier, next);
    }
}

LiteralColumns::LiteralColumns(Extensions& extensions, const std::vector<std::pair<std::uint32_t, ActionId>>& rows)
    : extensions_(extensions),
      seen_(static_cast<std::uint32_t>((rows.size() + 63) / 64)),
      column_((rows.size() + 63) / 64, 0) {
    for (const auto& [state, action] : rows) {
        if (state >= extensions.state_count()) throw InternalError("columns: no such state");
        const auto& task = extensions.task(extensions.task_of(state));
        if (action >= task.action_count()) throw InternalError("columns: no such action");
        const auto arguments = task.action_arguments[action];
        if (states_.empty()) arity_ = static_cast<std::uint32_t>(arguments.size());
        if (arguments.size() != arity_) throw InternalError("columns: actions of more than one schema");
        states_.push_back(state);
        arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
    }
    seen_.intern(column_.data());  // what is the same everywhere is not new
}

template <typename Value>
bool LiteralColumns::make(Value value) {
    std::ranges::fill(column_, Word{0});
    for (std::uint32_t row = 0; row < row_count(); ++row)
        if (value(row)) set_bit(column_.data(), row);
    const auto flip = [&] {
        for (auto& word : column_) word = ~word;
        if (row_count() % 64 != 0) column_.back() &= ~Word{0} >> (64U - row_count() % 64);
    };
    const bool is_flipped = row_count() > 0 && test_bit(column_.data(), 0);  // so that complements are one
    if (is_flipped) flip();
    const auto before = seen_.size();
    const bool is_new = seen_.intern(column_.data()) == before;
    if (is_flipped) flip();
    return is_new;
}

bool LiteralColumns::is(std::uint32_t parameter, Extensions::ExtensionId in) {
    return make([&](std::uint32_t row) { return extensions_.is(states_[row], argument(row, parameter), in); });
}

bool LiteralColumns::related(std::uint32_t first, std::uint32_t second, Extensions::ExtensionId role) {
    return make([&](std::uint32_t row) {
        return extensions_.are(states_[row], argument(row, first), argument(row, second), role);
    });
}

bool LiteralColumns::nearer(std::uint32_t first, std::uint32_t second, Extensions::ExtensionId to,
                            Extensions::ExtensionId along) {
    return make([&](std::uint32_t row) {
        const auto* distances = extensions_.distances(states_[row], to, along);
        return distances[argument(row, first)] < distances[argument(row, second)];
    });
}

bool LiteralColumns::empty(Extensions::ExtensionId in) {
    return make([&](std::uint32_t row) { return extensions_.is_empty(states_[row], in); });
}

bool LiteralColumns::flag(const std::vector<bool>& of_state) {
    return make([&](std::uint32_t row) { return of_state[states_[row]]; });
}

}  // namespace gpaplan
