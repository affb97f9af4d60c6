#include "concepts/evaluator.hpp"

#include <utility>

namespace gpaplan {

Evaluator::Evaluator(const Task& task, Expressions expressions)
    : task_(task),
      object_count_(expressions.object_count),
      width_((expressions.object_count + 63) / 64),
      wanted_(std::move(expressions.wanted)),
      all_(width_, 0) {
    for (const auto* arguments : {&task.atom_arguments, &task.static_arguments, &task.action_arguments})
        for (auto object : arguments->values)
            if (object >= object_count_) throw InternalError("evaluator: the task has more objects");
    for (std::uint32_t object = 0; object < object_count_; ++object) set_bit(all_.data(), object);
    find_wanted_atoms();
    values_.reserve(expressions.nodes.size());
    for (auto& node : expressions.nodes) {
        values_.push_back({.node = std::move(node)});
        add_place(values_.back());
    }
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
        key.insert(key.end(), arguments.begin(), arguments.end());
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

// Makes a place for the value of a node, whose operands have theirs.
void Evaluator::add_place(Value& value) {
    const auto kind = value.node.kind;
    const bool reads = kind == NodeKind::argument || kind == NodeKind::pairs || kind == NodeKind::flag;
    if (is_concept(kind)) {
        value.place = static_cast<std::uint32_t>(sets_.size() / std::max(width_, 1U));
        sets_.resize(sets_.size() + width_, 0);
        always_.resize(always_.size() + width_, 0);
    } else if (is_role(kind)) {
        value.place = static_cast<std::uint32_t>(roles_.size());
        roles_.push_back({Relation(kind == NodeKind::pairs ? object_count_ : 0), Relation(object_count_)});
    } else if (kind == NodeKind::distance) {
        value.place = static_cast<std::uint32_t>(paths_.size());
        paths_.push_back({Relation(object_count_), Distances(object_count_)});
    }
    if (reads) {
        read_atoms(value);
        value.is_static = value.atoms.begin == value.atoms.end && value.atoms.missing.empty();
    } else if (kind == NodeKind::objects) {
        for (auto object : value.node.operands) set_bit(place_of(always_, value.place), object);
        value.is_static = true;
    } else if (!is_literal(kind)) {
        value.is_static =
            std::ranges::all_of(value.node.operands, [&](auto operand) { return values_[operand].is_static; });
    }
}

void Evaluator::read_atoms(Value& value) {
    const auto predicate = value.node.operands.front();
    const auto when = static_cast<When>(value.node.operands.back());
    if (when == When::holds) {
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
        if (when == When::wanted || wanted_never_[i]) {
            add_atom(value, arguments, no_id);
        } else if (wanted_fluents_[i] != no_id) {
            value.atoms.missing.push_back(wanted_fluents_[i]);
            add_atom(value, arguments, wanted_fluents_[i]);
        }
    }
}

// Adds the objects that an atom has in the positions that a node is about: for good if it is no fluent atom.
void Evaluator::add_atom(Value& value, IndexSpan arguments, AtomId fluent) {
    const auto& operands = value.node.operands;
    if (value.node.kind == NodeKind::flag) {
        if (fluent == no_id) value.atoms.always = true;
        return;
    }
    const bool has_two = value.node.kind == NodeKind::pairs;
    if (operands[1] >= arguments.size() || (has_two && operands[2] >= arguments.size()))
        throw InternalError("evaluator: no such argument");
    const auto first = arguments[operands[1]];
    const auto second = has_two ? arguments[operands[2]] : no_id;
    if (fluent != no_id) {
        value.atoms.firsts.push_back(first);
        if (has_two) value.atoms.seconds.push_back(second);
    } else if (has_two) {
        roles_[value.place].always.add(first, second);
    } else {
        set_bit(place_of(always_, value.place), first);
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

bool Evaluator::is_true(const Atoms& atoms) const {
    bool result = atoms.always;
    for_each_atom(atoms, [&](std::uint32_t) { result = true; });
    return result;
}

const Word* Evaluator::objects(std::uint32_t node) {
    auto& value = values_[node];
    auto* result = place_of(sets_, value.place);
    if (!is_current(value)) {
        evaluate_objects(value, result);
        value.evaluated = now_;
    }
    return result;
}

const Relation& Evaluator::relation(std::uint32_t node) {
    auto& value = values_[node];
    auto& result = roles_[value.place].pairs;
    if (!is_current(value)) {
        evaluate_relation(value, result);
        value.evaluated = now_;
    }
    return result;
}

const Distance* Evaluator::distances(std::uint32_t node) {
    auto& value = values_[node];
    auto& path = paths_[value.place];
    if (is_current(value)) return path.result;
    const auto* targets = objects(value.node.operands[0]);
    const auto& role = relation(value.node.operands[1]);
    if (!path.is_ready) path.predecessors.assign_inverse(role);
    path.is_ready = values_[value.node.operands[1]].is_static;
    path.result = path.is_ready ? path.distances.find_kept(path.predecessors, targets)
                                : path.distances.find(path.predecessors, targets);
    value.evaluated = now_;
    return path.result;
}

void Evaluator::evaluate_objects(const Value& value, Word* result) {
    const auto& operands = value.node.operands;
    switch (value.node.kind) {
        case NodeKind::objects:
        case NodeKind::argument:
            std::copy_n(place_of(always_, value.place), width_, result);
            for_each_atom(value.atoms, [&](std::uint32_t i) { set_bit(result, value.atoms.firsts[i]); });
            return;
        case NodeKind::complement: {
            const auto* inner = objects(operands[0]);
            for (std::uint32_t w = 0; w < width_; ++w) result[w] = all_[w] & ~inner[w];
            return;
        }
        case NodeKind::intersection: {
            const auto* first = objects(operands[0]);
            const auto* second = objects(operands[1]);
            for (std::uint32_t w = 0; w < width_; ++w) result[w] = first[w] & second[w];
            return;
        }
        case NodeKind::some:
        case NodeKind::every: {
            const auto& role = relation(operands[0]);
            const auto* inner = objects(operands[1]);
            const bool some = value.node.kind == NodeKind::some;
            std::fill_n(result, width_, Word{0});
            role.for_each_source([&](std::uint32_t x) {  // those with a successor inside, or with one outside
                Word any = 0;
                for (std::uint32_t w = 0; w < width_; ++w) any |= role[x][w] & (some ? inner[w] : ~inner[w]);
                if (any != 0) set_bit(result, x);
            });
            if (some) return;
            for (std::uint32_t w = 0; w < width_; ++w) result[w] = all_[w] & ~result[w];
            return;
        }
        case NodeKind::same: {
            const auto& first = relation(operands[0]);
            const auto& second = relation(operands[1]);
            std::fill_n(result, width_, Word{0});
            first.for_each_source([&](std::uint32_t x) {
                if (std::equal(first[x], first[x] + width_, second[x])) set_bit(result, x);
            });
            return;
        }
        default:
            throw InternalError("evaluator: not a concept");
    }
}

void Evaluator::evaluate_relation(const Value& value, Relation& result) {
    const auto& operands = value.node.operands;
    switch (value.node.kind) {
        case NodeKind::pairs:
            result.assign(roles_[value.place].always);
            for_each_atom(value.atoms,
                          [&](std::uint32_t i) { result.add(value.atoms.firsts[i], value.atoms.seconds[i]); });
            return;
        case NodeKind::inverse:
            result.assign_inverse(relation(operands[0]));
            return;
        case NodeKind::closure:
            result.assign_closure(relation(operands[0]), false, object_count_);
            return;
        case NodeKind::star:
            result.assign_closure(relation(operands[0]), true, object_count_);
            return;
        case NodeKind::common:
            result.assign_common(relation(operands[0]), relation(operands[1]));
            return;
        case NodeKind::difference:
            result.assign_difference(relation(operands[0]), relation(operands[1]));
            return;
        default:
            throw InternalError("evaluator: not a role");
    }
}

bool Evaluator::holds(NodeLiteral literal, IndexSpan arguments) {
    return literal_holds(values_[literal >> 1U], arguments) != ((literal & 1U) != 0);
}

bool Evaluator::literal_holds(const Value& value, IndexSpan arguments) {
    const auto& operands = value.node.operands;
    switch (value.node.kind) {
        case NodeKind::flag:
            return is_true(value.atoms);
        case NodeKind::empty: {
            const auto* set = objects(operands[0]);
            return std::all_of(set, set + width_, [](Word word) { return word == 0; });
        }
        case NodeKind::is:
            return test_bit(objects(operands[1]), arguments[operands[0]]);
        case NodeKind::related:
            return relation(operands[2]).has(arguments[operands[0]], arguments[operands[1]]);
        case NodeKind::nearer: {
            const auto* distance = distances(operands[2]);
            return distance[arguments[operands[0]]] < distance[arguments[operands[1]]];
        }
        default:
            throw InternalError("evaluator: not a literal");
    }
}

}  // namespace gpaplan
