// Models come in a fixed order, found by depth-first search with unit propagation.

#include <ranges>

#include "proofs/kept_graph.hpp"

namespace gpaplan {

void each_model(std::uint32_t atoms, const std::vector<Indices>& given, Stop& stop,
                const std::function<void(const Word*)>& visit) {
    Ranges clauses;
    for (const auto& clause : given) {
        for (auto literal : clause)
            if (atom_of(literal) >= atoms) throw InternalError("models: no such atom");
        clauses.add(clause);
    }
    const auto clauses_of = invert(clauses, 2 * std::size_t{atoms});  // of each literal
    std::vector<std::int8_t> values(atoms, -1);                       // of each atom: -1 if it has none
    Indices trail, choices;  // the literals made true, in order; the places of those that are tried
    const auto assign = [&](Literal literal) {
        values[atom_of(literal)] = is_negated(literal) ? 0 : 1;
        trail.push_back(literal);
    };
    // Makes the only literal of a clause true that may become true; false if there is none.
    const auto conclude = [&](std::uint32_t clause) {
        auto last = no_id;
        for (auto literal : clauses[clause]) {
            const auto value = values[atom_of(literal)];
            if (value < 0 ? last != no_id : (value == 1) != is_negated(literal)) return true;
            if (value < 0) last = literal;
        }
        if (last != no_id) assign(last);
        return last != no_id;
    };
    // Draws the conclusions of the literals from a place on; false if a clause has none left.
    const auto propagate = [&](std::size_t from) {
        for (; from < trail.size(); ++from)
            if (!std::ranges::all_of(clauses_of[trail[from] ^ 1U], conclude)) return false;
        return true;
    };
    std::vector<Word> model((atoms + 63) / 64 + 1, 0);
    const auto all = std::views::iota(std::uint32_t{0}, static_cast<std::uint32_t>(clauses.size()));
    auto sound = std::ranges::all_of(all, conclude) && propagate(0);
    for (std::uint64_t steps = 0;; ++steps) {
        if (steps % 1024 == 0 && stop.check(0, steps) != StopReason::none) throw Stopped(stop.reason());
        const auto next = sound ? std::ranges::find(values, -1) : values.end();
        if (next != values.end()) {  // first try that it does not hold
            choices.push_back(static_cast<std::uint32_t>(trail.size()));
            assign(make_literal(static_cast<AtomId>(next - values.begin()), true));
        } else {
            if (sound) {
                std::ranges::fill(model, Word{0});
                for (auto literal : trail)
                    if (!is_negated(literal)) set_bit(model.data(), atom_of(literal));
                visit(model.data());
            }
            if (choices.empty()) return;
            const auto tried = trail[choices.back()];
            for (; trail.size() > choices.back(); trail.pop_back()) values[atom_of(trail.back())] = -1;
            choices.pop_back();
            assign(tried ^ 1U);
        }
        sound = propagate(trail.size() - 1);
    }
}

}  // namespace gpaplan
