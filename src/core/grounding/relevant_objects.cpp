#include "grounding/relevant_objects.hpp"

#include <algorithm>

namespace gpaplan {

namespace {

// Whether a pattern mentions the variable and otherwise only what is bound when the variable's turn comes: variables
// inside its scope have higher numbers.
bool restricts(const std::vector<std::int32_t>& terms, std::uint32_t variable) {
    const auto own = ~static_cast<std::int32_t>(variable);
    return std::ranges::find(terms, own) != terms.end() && std::ranges::all_of(terms, [&](auto t) { return t >= own; });
}

// The atom without which an instance of the formula is false (`atom`) or true (`not_atom`); null if there is none.
const FormulaNode* find_restriction(const FormulaNode& formula, FormulaKind kind, std::uint32_t variable) {
    if (formula.kind == kind) return restricts(formula.terms, variable) ? &formula : nullptr;
    const auto junction = kind == FormulaKind::atom ? FormulaKind::conjunction : FormulaKind::disjunction;
    if (formula.kind != junction) return nullptr;
    for (const auto& child : formula.children)
        if (const auto* found = find_restriction(child, kind, variable)) return found;
    return nullptr;
}

}  // namespace

const Indices& RelevantObjects::of(const FormulaNode& quantifier, const Indices& variable_domains,
                                   const Binding& binding) {
    const auto& domain = task_.domains[variable_domains[quantifier.symbol]];
    const auto [place, is_new] = tables_.try_emplace(&quantifier);
    if (is_new) {
        const auto kind = quantifier.kind == FormulaKind::forall ? FormulaKind::not_atom : FormulaKind::atom;
        const auto* found = find_restriction(quantifier.children[0], kind, quantifier.symbol);
        if (found != nullptr) fill(place->second, {found->symbol, &found->terms}, quantifier.symbol, domain);
    }
    return look_up(place->second, domain, binding);
}

const Indices& RelevantObjects::of(const EffectNode& quantifier, const Indices& variable_domains,
                                   const Binding& binding) {
    const auto& domain = task_.domains[variable_domains[quantifier.symbol]];
    const auto [place, is_new] = tables_.try_emplace(&quantifier);
    if (is_new) {
        const auto& child = quantifier.children[0];
        const auto variable = quantifier.symbol;
        if (child.kind == EffectKind::remove && restricts(child.terms, variable)) {
            fill(place->second, {child.symbol, &child.terms}, variable, domain);
        } else if (child.kind == EffectKind::when) {
            const auto* found = find_restriction(child.condition, FormulaKind::atom, variable);
            if (found != nullptr) fill(place->second, {found->symbol, &found->terms}, variable, domain);
        }
    }
    return look_up(place->second, domain, binding);
}

void RelevantObjects::fill(Table& table, const Pattern& pattern, std::uint32_t variable, const Indices& domain) {
    const auto& terms = *pattern.terms;
    const auto own = ~static_cast<std::int32_t>(variable);
    const auto at = static_cast<std::size_t>(std::ranges::find(terms, own) - terms.begin());
    table.is_restricted = true;
    for (std::size_t k = 0; k < terms.size(); ++k)
        if (terms[k] != own) table.bound.emplace_back(k, terms[k]);
    for (std::uint32_t atom = 0; atom < reached_.atoms.size(); ++atom) {
        stop_.poll();
        if (reached_.predicate(atom) != pattern.predicate) continue;
        const auto arguments = reached_.arguments(atom);
        if (!std::ranges::binary_search(domain, arguments[at])) continue;
        key_.clear();
        for (const auto& [k, term] : table.bound) key_.push_back(arguments[k]);
        table.objects[key_].push_back(arguments[at]);
    }
    for (auto& objects : table.objects.lists()) sort_unique(objects);
}

const Indices& RelevantObjects::look_up(const Table& table, const Indices& domain, const Binding& binding) {
    if (!table.is_restricted) return domain;
    key_.clear();
    for (const auto& [k, term] : table.bound) key_.push_back(object_of(term, binding));
    const auto* found = table.objects.find(key_);
    return found == nullptr ? nothing_ : *found;
}

}  // namespace gpaplan
