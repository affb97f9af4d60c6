#include "task/writer.hpp"

namespace gpaplan {

void Conjunction::normalize() {
    sort_unique(literals);
    sort_unique(disjunctions);
    for (std::size_t i = 1; i < literals.size(); ++i)
        is_impossible = is_impossible || atom_of(literals[i - 1]) == atom_of(literals[i]);
}

TaskWriter::TaskWriter() {
    Conjunction nothing;
    EffectParts none;
    condition(nothing);
    effect(none);
}

std::uint32_t TaskWriter::condition(Conjunction& conjunction) {
    conjunction.normalize();
    if (conjunction.is_impossible) conjunction = {true, {}, {disjunction({})}};
    key_ = conjunction.literals;
    key_.push_back(no_id);
    append(key_, conjunction.disjunctions);
    const auto id = conditions_.intern(key_);
    if (id == task.literals.size()) {
        task.literals.add(conjunction.literals);
        task.condition_disjunctions.add(conjunction.disjunctions);
    }
    return id;
}

std::uint32_t TaskWriter::disjunction(const Indices& options) {
    const auto id = disjunctions_.intern(options);
    if (id == task.disjunctions.size()) task.disjunctions.add(options);
    return id;
}

void TaskWriter::add_disjunction(Conjunction& to, std::vector<Conjunction>& options) {
    if (std::ranges::any_of(options, &Conjunction::is_true)) return;
    std::erase_if(options, [](const auto& option) { return option.is_impossible; });
    if (options.empty()) {
        to.is_impossible = true;
    } else if (options.size() == 1) {
        append(to.literals, options[0].literals);
        append(to.disjunctions, options[0].disjunctions);
    } else {
        Indices ids;
        for (auto& option : options) ids.push_back(condition(option));
        sort_unique(ids);
        to.disjunctions.push_back(disjunction(ids));
    }
}

std::uint32_t TaskWriter::effect(EffectParts& parts) {
    sort_unique(parts.adds);
    sort_unique(parts.deletes);
    std::erase_if(parts.deletes, [&](auto atom) { return std::ranges::binary_search(parts.adds, atom); });
    key_.clear();
    for (const auto* list : {&parts.adds, &parts.deletes, &parts.conditionals, &parts.factors}) {
        append(key_, *list);
        key_.push_back(no_id);
    }
    const auto cost = std::bit_cast<std::uint64_t>(parts.cost);
    key_.insert(key_.end(), {static_cast<std::uint32_t>(cost), static_cast<std::uint32_t>(cost >> 32U)});
    const auto id = effects_.intern(key_);
    if (id < task.effect_costs.size()) return id;
    task.adds.add(parts.adds);
    task.deletes.add(parts.deletes);
    task.conditionals.add(parts.conditionals);
    task.factors.add(parts.factors);
    task.effect_costs.push_back(parts.cost);
    return id;
}

std::uint32_t TaskWriter::factor(const std::vector<std::pair<double, std::uint32_t>>& outcomes) {
    key_.clear();
    for (const auto& [probability, effect] : outcomes) {
        const auto [place, is_new] =
            numbers_.try_emplace(probability, static_cast<std::uint32_t>(task.probabilities.size()));
        if (is_new) task.probabilities.push_back(probability);
        key_.insert(key_.end(), {place->second, effect});
    }
    const auto id = factors_.intern(key_);
    if (id == task.outcomes.size()) task.outcomes.add(key_);
    return id;
}

}  // namespace gpaplan
