#include "concepts/evaluator.hpp"

namespace gpaplan {

Evaluator::Evaluator(const Task& task, Expressions expressions)
    : task_(task), universe_(expressions.object_count), wanted_(std::move(expressions.wanted)) {
    for (const auto* arguments : {&task.atom_arguments, &task.static_arguments, &task.action_arguments})
        for (auto object : arguments->values)
            if (object >= expressions.object_count) throw InternalError("evaluator: the task has more objects");
    find_wanted_atoms();
    for (auto& node : expressions.nodes) add(std::move(node));
}

void Evaluator::find_wanted_atoms() {
    ListInterner numbers;
    for (const auto& atom : wanted_)
        if (numbers.intern(atom) + std::size_t{1} != numbers.size())
            throw InternalError("evaluator: a goal atom twice");
    wanted_fluents_.assign(wanted_.size(), no_id);
    wanted_never_.assign(wanted_.size(), true);
    Indices key;
    const auto find = [&](std::uint32_t predicate, IndexSpan arguments) {
        key.assign(1, predicate);
        append(key, arguments);
        const auto found = numbers.find(key);
        if (found != no_id) wanted_never_[found] = false;
        return found;
    };
    if (wanted_.empty()) return;
    for (AtomId atom = 0; atom < task_.atom_count(); ++atom) {
        const auto found = find(task_.atom_predicates[atom], task_.atom_arguments[atom]);
        if (found != no_id) wanted_fluents_[found] = atom;
    }
    for (std::size_t i = 0; i < task_.static_predicates.size(); ++i)
        find(task_.static_predicates[i], task_.static_arguments[i]);
}

// Adds a node, whose operands are there.
void Evaluator::add(Node node) {
    const auto kind = node.kind;
    const auto sort = sort_of(kind);
    const bool reads = kind == NodeKind::argument || kind == NodeKind::pairs || kind == NodeKind::flag;
    const auto always = reads || kind == NodeKind::objects ? sort : Sort::literal;
    Value value{std::move(node), Storage(universe_, always), Storage(universe_, sort), nullptr};
    if (sort == Sort::distance || kind == NodeKind::nearer_for)
        value.path = std::make_unique<Path>(Storage(universe_, Sort::relation), Distances(universe_));
    if (reads) {
        read_atoms(value);
        value.is_static = value.atoms.begin == value.atoms.end && value.atoms.missing.empty();
    } else if (kind == NodeKind::objects) {
        for (auto object : value.node.operands) set_bit(value.always.objects.data(), object);
        value.is_static = true;
    } else if (sort != Sort::literal) {
        value.is_static =
            std::ranges::all_of(value.node.operands, [&](auto operand) { return values_[operand].is_static; });
    }
    value.meaning = value.found.view();
    values_.push_back(std::move(value));
}

void Evaluator::read_atoms(Value& value) {
    const auto when = static_cast<AtomMark>(value.node.operands[0]);
    const auto predicate = value.node.operands[1];
    if (when == AtomMark::holds) {
        const auto [first, last] = std::ranges::equal_range(task_.atom_predicates, predicate);
        value.atoms.begin = static_cast<AtomId>(first - task_.atom_predicates.begin());
        value.atoms.end = static_cast<AtomId>(last - task_.atom_predicates.begin());
        for (AtomId atom = value.atoms.begin; atom < value.atoms.end; ++atom)
            add_atom(value, task_.atom_arguments[atom], atom);
        for (std::size_t i = 0; i < task_.static_predicates.size(); ++i)
            if (task_.static_predicates[i] == predicate) add_atom(value, task_.static_arguments[i], no_id);
        return;
    }
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
        if (wanted_[i].front() != predicate) continue;
        const auto arguments = IndexSpan(wanted_[i]).subspan(1);
        if (when == AtomMark::wanted || wanted_never_[i]) {
            add_atom(value, arguments, no_id);
        } else if (wanted_fluents_[i] != no_id) {
            value.atoms.missing.push_back(wanted_fluents_[i]);
            add_atom(value, arguments, wanted_fluents_[i]);
        }
    }
}

// Adds the objects that an atom has in the positions that a node is about: for good if it is no fluent atom.
void Evaluator::add_atom(Value& value, IndexSpan arguments, AtomId fluent) {
    const auto positions = IndexSpan(value.node.operands).subspan(2);
    if (std::ranges::any_of(positions, [&](auto position) { return position >= arguments.size(); }))
        throw InternalError("evaluator: no such argument");
    const auto first = positions.empty() ? no_id : arguments[positions.front()];
    const auto second = positions.empty() ? no_id : arguments[positions.back()];
    if (fluent != no_id) {
        value.atoms.firsts.push_back(first);
        value.atoms.seconds.push_back(second);
    } else if (positions.empty()) {
        value.atoms.always = true;
    } else {
        set_bit(value.always.objects.data(), first);
        if (!value.always.rows.empty()) set_bit(value.always.row(block(), first), second);
    }
}

// Calls `visit` with the place of each atom that counts in the state.
template <typename Visit>
void Evaluator::for_each_atom(const Atoms& atoms, Visit visit) const {
    for (std::uint32_t i = 0; i < atoms.missing.size(); ++i)
        if (!test_bit(state_, atoms.missing[i])) visit(i);
    if (atoms.begin == atoms.end) return;
    const auto first = atoms.begin >> 6U;
    const auto last = (atoms.end - 1) >> 6U;
    for (auto w = first; w <= last; ++w) {
        Word word = state_[w];
        if (w == first) word &= ~Word{0} << (atoms.begin & 63U);
        if (w == last) word &= ~Word{0} >> (63U - ((atoms.end - 1) & 63U));
        for_each_bit_of(word, w, [&](AtomId atom) { visit(atom - atoms.begin); });
    }
}

void Evaluator::evaluate(Value& value) {
    const auto& operands = value.node.operands;
    switch (value.node.kind) {
        case NodeKind::objects:
        case NodeKind::argument:
            std::ranges::copy(value.always.objects, value.found.objects.begin());
            for_each_atom(value.atoms,
                          [&](std::uint32_t i) { set_bit(value.found.objects.data(), value.atoms.firsts[i]); });
            break;
        case NodeKind::pairs:
            value.found.assign_rows(universe_, value.always.view());
            for_each_atom(value.atoms, [&](std::uint32_t i) {
                set_bit(value.found.row(block(), value.atoms.firsts[i]), value.atoms.seconds[i]);
            });
            break;
        case NodeKind::distance:
            value.meaning.distances = distances(*value.path, meaning(operands[0]).objects, operands[1]);
            break;
        default:
            make(value.node.kind, universe_, meaning(operands.front()), meaning(operands.back()), value.found);
    }
    value.evaluated = now_;
}

const Distance* Evaluator::distances(Path& path, const Word* targets, std::uint32_t along) {
    const auto& relation = meaning(along);
    const bool is_static = values_[along].is_static;
    if (path.made != now_ && (!is_static || path.made == 0)) {
        make(NodeKind::inverse, universe_, relation, relation, path.predecessors);
        path.made = now_;
    }
    return is_static ? path.distances.find_kept(path.predecessors.view(), targets)
                     : path.distances.find(path.predecessors.view(), targets);
}

bool Evaluator::holds(NodeLiteral literal, IndexSpan arguments) {
    auto& value = values_[literal >> 1U];
    const auto& [kind, operands] = value.node;
    const bool is_negated = (literal & 1U) != 0;
    if (kind == NodeKind::flag) return is_true(value.atoms) != is_negated;
    if (kind == NodeKind::nearer_for) {
        const auto* targets = meaning(operands[3]).rows + block().row(arguments[operands[0]]);
        const Meaning to_them{nullptr, nullptr, distances(*value.path, targets, operands[4])};
        const auto x = arguments[operands[1]];
        const auto y = arguments[operands[2]];
        return gpaplan::holds(NodeKind::nearer, block(), to_them, x, y) != is_negated;
    }
    const auto parameters = operands.size() - 1;  // what they are about comes last
    const auto x = parameters > 0 ? arguments[operands[0]] : no_id;
    const auto y = parameters > 1 ? arguments[operands[1]] : no_id;
    return gpaplan::holds(kind, block(), meaning(operands.back()), x, y) != is_negated;
}

bool Evaluator::is_true(const Atoms& atoms) const {
    bool result = atoms.always;
    for_each_atom(atoms, [&](std::uint32_t) { result = true; });
    return result;
}

}  // namespace gpaplan
