#include "spaces/successors.hpp"

#include <numeric>

namespace gpaplan {

SuccessorGenerator::SuccessorGenerator(const Task& task, Stop& stop) : task_(task) {
    actions_.resize(task.action_count());
    std::iota(actions_.begin(), actions_.end(), 0U);
    std::ranges::stable_sort(actions_, polled(stop, std::ranges::less{}),
                             [&](auto action) { return task.preconditions[action]; });
    std::vector<Item> items;
    for (std::uint32_t begin = 0, end = 0; begin < actions_.size(); begin = end) {
        stop.poll();
        const auto condition = task.preconditions[actions_[begin]];
        while (end < actions_.size() && task.preconditions[actions_[end]] == condition) ++end;
        const bool plain = task.condition_disjunctions[condition].empty();
        const auto literals = task.literals[condition];
        const auto first = literals_.size();
        append(literals_, literals);
        items.push_back({static_cast<std::uint32_t>(all_entries_.size()), first, literals_.size()});
        all_entries_.push_back({plain ? no_id : condition, begin, end});
    }
    frequency_.assign(2 * std::size_t{task.atom_count()}, 0);
    nodes_.emplace_back();
    if (!items.empty()) build(0, std::move(items), stop);
    all_entries_ = {};
    frequency_ = {};
    literals_ = {};
}

// Moves the literals that all items share into the node's guards. Expects `frequency_` to count the items' literals.
void SuccessorGenerator::add_guards(Node& node, std::vector<Item>& items) {
    node.guards_begin = static_cast<std::uint32_t>(guards_.size());
    Indices shared;
    for (auto literal : literals(items.front()))
        if (frequency_[literal] == items.size()) shared.push_back(literal);
    for (auto literal : shared) {
        const auto word = atom_of(literal) >> 6U;
        if (guards_.size() == node.guards_begin || guards_.back().word != word) guards_.push_back({word, 0, 0});
        auto& mask = is_negated(literal) ? guards_.back().negative : guards_.back().positive;
        mask |= Word{1} << (atom_of(literal) & 63U);
    }
    node.guards_end = static_cast<std::uint32_t>(guards_.size());
    for (auto literal : shared) frequency_[literal] = 0;
    for (auto& item : items) drop(item, [&](auto literal) { return std::ranges::binary_search(shared, literal); });
}

void SuccessorGenerator::build(std::uint32_t at, std::vector<Item> items, Stop& stop) {
    for (const auto& item : items)
        for (auto literal : literals(item)) ++frequency_[literal];
    Node node;
    add_guards(node, items);

    // Divide the items by their most frequent literal; those with no literal left end here.
    node.entries_begin = static_cast<std::uint32_t>(entries_.size());
    std::vector<std::pair<Literal, Item>> divided;
    for (auto& item : items) {
        stop.poll();
        const auto left = literals(item);
        if (left.empty()) {
            entries_.push_back(all_entries_[item.entry]);
            continue;
        }
        divided.emplace_back(*std::ranges::max_element(left, {}, [&](auto l) { return frequency_[l]; }), item);
    }
    node.entries_end = static_cast<std::uint32_t>(entries_.size());
    for (const auto& [literal, item] : divided)
        for (auto other : literals(item)) frequency_[other] = 0;
    items.clear();

    // Positive branches first, then negative ones, each by atom, so that the branches of a word stand together.
    std::ranges::stable_sort(divided, polled(stop, std::ranges::less{}),
                             [](const auto& pair) { return std::pair{is_negated(pair.first), atom_of(pair.first)}; });
    std::vector<std::vector<Item>> groups;
    node.branches_begin = static_cast<std::uint32_t>(branches_.size());
    for (std::size_t i = 0; i < divided.size(); ++i) {
        stop.poll();
        const auto literal = divided[i].first;
        auto& item = divided[i].second;
        drop(item, [&](auto other) { return other == literal; });
        if (i == 0 || divided[i - 1].first != literal) {
            const auto word = atom_of(literal) >> 6U;
            const bool open = branches_.size() > node.branches_begin && branches_.back().word == word &&
                              branches_.back().negative == is_negated(literal);
            if (!open)
                branches_.push_back(
                    {word, static_cast<std::uint32_t>(nodes_.size() + groups.size()), 0, is_negated(literal)});
            branches_.back().mask |= Word{1} << (atom_of(literal) & 63U);
            groups.emplace_back();
        }
        groups.back().push_back(item);
    }
    node.branches_end = static_cast<std::uint32_t>(branches_.size());
    divided.clear();

    const auto first_child = static_cast<std::uint32_t>(nodes_.size());
    nodes_.resize(nodes_.size() + groups.size());
    nodes_[at] = node;
    for (std::uint32_t i = 0; i < groups.size(); ++i) build(first_child + i, std::move(groups[i]), stop);
}

void SuccessorGenerator::applicable(const Word* state, Indices& result) const {
    const auto begin = static_cast<std::ptrdiff_t>(result.size());
    visit(0, state, result);
    std::sort(result.begin() + begin, result.end());
}

void SuccessorGenerator::visit(std::uint32_t at, const Word* state, Indices& result) const {
    const Node& node = nodes_[at];
    for (auto i = node.guards_begin; i < node.guards_end; ++i) {
        const Guard& guard = guards_[i];
        const auto word = state[guard.word];
        if ((word & guard.positive) != guard.positive || (word & guard.negative) != 0) return;
    }
    for (auto i = node.entries_begin; i < node.entries_end; ++i) {
        const Entry& entry = entries_[i];
        if (entry.condition != no_id && !holds(task_, entry.condition, state)) continue;
        result.insert(result.end(), actions_.begin() + entry.actions_begin, actions_.begin() + entry.actions_end);
    }
    for (auto i = node.branches_begin; i < node.branches_end; ++i) {
        const Branch& branch = branches_[i];
        auto open = (branch.negative ? ~state[branch.word] : state[branch.word]) & branch.mask;
        for (; open != 0; open &= open - 1) {
            const auto below = (open & -open) - 1;
            visit(branch.first_child + static_cast<std::uint32_t>(std::popcount(branch.mask & below)), state, result);
        }
    }
}

}  // namespace gpaplan
