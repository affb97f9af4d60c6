#include "concepts/extensions.hpp"

namespace gpaplan {

namespace {

Universe side_by_side(const std::vector<Evaluator*>& evaluators, const std::vector<Extensions::Place>& states) {
    Universe universe;
    for (const auto& state : states) universe.add(evaluators.at(state.task)->block().count);
    if (universe.rows_width() > no_id) throw TaskTooLarge("extensions: too many states and objects");
    return universe;
}

}  // namespace

Extensions::Extensions(std::vector<Evaluator*> evaluators, std::vector<Place> states)
    : evaluators_(std::move(evaluators)),
      states_(std::move(states)),
      universe_(side_by_side(evaluators_, states_)),
      concepts_(static_cast<std::uint32_t>(universe_.width())),
      relations_(static_cast<std::uint32_t>(universe_.rows_width())),
      objects_(universe_, Sort::concept_),
      pairs_(universe_, Sort::relation),
      distances_(universe_) {}

ExtensionId Extensions::read(const Indices& nodes) {
    if (nodes.size() != evaluators_.size()) throw InternalError("extensions: a node for each task");
    const auto sort = sort_of(evaluators_.at(0)->node(nodes[0]).kind);
    for (std::uint32_t state = 0; state < state_count(); ++state) {
        auto& evaluator = *evaluators_[states_[state].task];
        const auto node = nodes[states_[state].task];
        const auto& at = block(state);
        evaluator.enter(states_[state].state.data());
        const auto& found = evaluator.meaning(node);
        std::copy_n(found.objects, at.width, result(sort).objects.data() + at.objects);
        if (sort == Sort::relation)
            std::copy_n(found.rows, std::size_t{at.count} * at.width, pairs_.rows.data() + at.rows);
    }
    return intern(sort);
}

ExtensionId Extensions::make(NodeKind kind, const Indices& operands) {
    const auto& [_, name, sort, of] = constructor(kind);
    const auto found = meanings(of, operands);
    if (sort > Sort::relation || found.empty()) throw InternalError("extensions: neither a concept nor a relation");
    gpaplan::make(kind, universe_, found.front(), found.back(), result(sort));
    return intern(sort);
}

ExtensionId Extensions::intern(Sort sort) {
    auto& interner = sort == Sort::concept_ ? concepts_ : relations_;
    const auto before = interner.size();
    const auto id = interner.intern(sort == Sort::concept_ ? objects_.objects.data() : pairs_.rows.data());
    if (id == before && sort == Sort::relation)
        sources_.insert(sources_.end(), pairs_.objects.begin(), pairs_.objects.end());
    return id;
}

std::vector<Meaning> Extensions::meanings(const std::vector<Sort>& sorts, const Indices& ids) const {
    if (sorts.size() != ids.size()) throw InternalError("extensions: wrong operands");
    std::vector<Meaning> result;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto& known = sorts[i] == Sort::concept_ ? concepts_ : relations_;
        if (ids[i] >= known.size()) throw InternalError("extensions: no such id");
        result.push_back({known[ids[i]]});
        if (sorts[i] == Sort::relation) result.back() = {sources_.data() + ids[i] * universe_.width(), known[ids[i]]};
    }
    return result;
}

Meaning Extensions::part(NodeKind literal, const Indices& operands) {
    const auto sort = constructor(literal).of.back();
    if (sort != Sort::distance) return meanings({sort}, operands).front();
    const auto found = meanings(constructor(NodeKind::distance).of, operands);
    if (measured_ != operands) {
        measure_ = measure(operands[1], found[1], found[0].objects);
        measured_ = operands;
    }
    return {nullptr, nullptr, measure_};
}

Meaning Extensions::part_for(std::uint32_t object, const Indices& operands) {
    const auto found = meanings({Sort::relation, Sort::relation}, operands);
    auto& targets = objects_.objects;
    std::ranges::fill(targets, Word{0});
    for (const auto& block : universe_.blocks())
        if (object < block.count)
            std::copy_n(found[0].rows + block.row(object), block.width, targets.data() + block.objects);
    measured_.clear();
    return {nullptr, nullptr, measure(operands[1], found[1], targets.data())};
}

const Distance* Extensions::measure(ExtensionId along, const Meaning& relation, const Word* targets) {
    const auto [at, is_new] = predecessors_.try_emplace(along, universe_, Sort::relation);
    if (is_new) gpaplan::make(NodeKind::inverse, universe_, relation, relation, at->second);
    return distances_->find(at->second.view(), targets);
}

bool Extensions::holds(std::uint32_t state, const Indices& nodes) {
    auto& evaluator = *evaluators_[states_[state].task];
    evaluator.enter(states_[state].state.data());
    return evaluator.holds(2 * nodes.at(states_[state].task), {});
}

LiteralColumns::LiteralColumns(Extensions& extensions, const std::vector<std::pair<std::uint32_t, ActionId>>& rows)
    : extensions_(extensions),
      seen_(static_cast<std::uint32_t>((rows.size() + 63) / 64)),
      column_((rows.size() + 63) / 64, 0) {
    for (const auto& [state, action] : rows) {
        if (state >= extensions.state_count()) throw InternalError("columns: no such state");
        const auto& task = extensions.task_of(state);
        if (action >= task.action_count()) throw InternalError("columns: no such action");
        const auto arguments = task.action_arguments[action];
        if (states_.empty()) arity_ = static_cast<std::uint32_t>(arguments.size());
        if (arguments.size() != arity_) throw InternalError("columns: actions of more than one schema");
        states_.push_back(state);
        append(arguments_, arguments);
    }
    seen_.intern(column_.data());  // what is the same everywhere is not new
}

template <typename Value>
bool LiteralColumns::fill(Value value) {
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

bool LiteralColumns::make(NodeKind kind, const Indices& parameters, const Indices& operands) {
    if (parameters.size() != parameter_count(kind) ||
        std::ranges::any_of(parameters, [&](auto parameter) { return parameter >= arity_; }))
        throw InternalError("columns: wrong parameters");
    if (kind == NodeKind::flag)
        return fill([&](std::uint32_t row) { return extensions_.holds(states_[row], operands); });
    if (kind == NodeKind::nearer_for) return make_nearer_for(parameters, operands);
    const auto part = extensions_.part(kind, operands);
    return fill([&](std::uint32_t row) {
        const auto x = parameters.empty() ? no_id : argument(row, parameters.front());
        const auto y = parameters.empty() ? no_id : argument(row, parameters.back());
        return holds(kind, extensions_.block(states_[row]), part, x, y);
    });
}

// Distances are found once for each object that the first parameter stands for.
bool LiteralColumns::make_nearer_for(const Indices& parameters, const Indices& operands) {
    std::map<std::uint32_t, Indices> rows;
    for (std::uint32_t row = 0; row < row_count(); ++row) rows[argument(row, parameters[0])].push_back(row);
    std::vector<bool> values(row_count());
    for (const auto& [object, its_rows] : rows) {
        const auto part = extensions_.part_for(object, operands);
        for (auto row : its_rows)
            values[row] = holds(NodeKind::nearer, extensions_.block(states_[row]), part, argument(row, parameters[1]),
                                argument(row, parameters[2]));
    }
    return fill([&](std::uint32_t row) { return values[row]; });
}

}  // namespace gpaplan
