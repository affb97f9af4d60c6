#include "concepts/expressions.hpp"

#include <string>

namespace gpaplan {

std::uint32_t parameter_count(NodeKind kind) {
    return static_cast<std::uint32_t>(std::ranges::count(constructor(kind).of, Sort::parameter));
}

namespace {

bool fits(const Expressions& expressions, std::size_t at, Sort sort, std::uint32_t operand) {
    if (sort == Sort::when) return operand <= static_cast<std::uint32_t>(AtomMark::missing);
    if (sort == Sort::object) return operand < expressions.object_count;
    if (sort > Sort::object) return true;
    return operand < at && sort_of(expressions.nodes[operand].kind) == sort;
}

}  // namespace

void validate(const Expressions& expressions) {
    for (std::size_t at = 0; at < expressions.nodes.size(); ++at) {
        const auto& node = expressions.nodes[at];
        auto sorts = constructor(node.kind).of;
        if (node.kind == NodeKind::objects) sorts.assign(node.operands.size(), Sort::object);
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
