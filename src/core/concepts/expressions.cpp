#include "concepts/expressions.hpp"

#include <string>

namespace gpaplan {

namespace {

enum class Sort : std::uint8_t { object, number, when, concept_, role, distance };

// The sorts of a node's operands.
std::vector<Sort> operand_sorts(const Node& node) {
    switch (node.kind) {
        case NodeKind::objects:
            return std::vector<Sort>(node.operands.size(), Sort::object);
        case NodeKind::argument:
            return {Sort::number, Sort::number, Sort::when};
        case NodeKind::complement:
        case NodeKind::empty:
            return {Sort::concept_};
        case NodeKind::intersection:
            return {Sort::concept_, Sort::concept_};
        case NodeKind::some:
        case NodeKind::every:
            return {Sort::role, Sort::concept_};
        case NodeKind::same:
        case NodeKind::common:
        case NodeKind::difference:
            return {Sort::role, Sort::role};
        case NodeKind::pairs:
            return {Sort::number, Sort::number, Sort::number, Sort::when};
        case NodeKind::inverse:
        case NodeKind::closure:
        case NodeKind::star:
            return {Sort::role};
        case NodeKind::distance:
            return {Sort::concept_, Sort::role};
        case NodeKind::flag:
            return {Sort::number, Sort::when};
        case NodeKind::is:
            return {Sort::number, Sort::concept_};
        case NodeKind::related:
            return {Sort::number, Sort::number, Sort::role};
        case NodeKind::nearer:
            return {Sort::number, Sort::number, Sort::distance};
    }
    throw InternalError("expressions: no such kind of node");
}

bool fits(const Expressions& expressions, std::size_t at, Sort sort, std::uint32_t operand) {
    if (sort == Sort::number) return true;
    if (sort == Sort::when) return operand <= static_cast<std::uint32_t>(When::missing);
    if (sort == Sort::object) return operand < expressions.object_count;
    if (operand >= at) return false;
    const auto kind = expressions.nodes[operand].kind;
    return sort == Sort::concept_ ? is_concept(kind) : sort == Sort::role ? is_role(kind) : kind == NodeKind::distance;
}

}  // namespace

void validate(const Expressions& expressions) {
    for (std::size_t at = 0; at < expressions.nodes.size(); ++at) {
        const auto& node = expressions.nodes[at];
        const auto sorts = operand_sorts(node);
        bool right = sorts.size() == node.operands.size();
        for (std::size_t i = 0; right && i < sorts.size(); ++i)
            right = fits(expressions, at, sorts[i], node.operands[i]);
        if (!right) throw InternalError("expressions: node " + std::to_string(at) + " has wrong operands");
    }
    for (const auto& atom : expressions.wanted) {
        bool right = !atom.empty();
        for (std::size_t i = 1; right && i < atom.size(); ++i) right = atom[i] < expressions.object_count;
        if (!right) throw InternalError("expressions: a goal atom is not one");
    }
}

}  // namespace gpaplan
