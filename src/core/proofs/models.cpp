#include "proofs/models.hpp"

namespace gpaplan {

Models::Models(std::uint32_t atoms, const std::vector<Indices>& clauses)
    : atoms_(atoms), values_(atoms, -1), model_((atoms + 63) / 64 + 1, 0) {
    for (auto clause : clauses) {
        sort_unique(clause);
        for (auto literal : clause)
            if (atom_of(literal) >= atoms) throw InternalError("models: no such atom");
        clauses_.add(clause);
        open_.push_back(static_cast<std::uint32_t>(clause.size()));
    }
    occurrences_ = invert(clauses_, 2 * std::size_t{atoms});
    satisfied_.assign(clauses_.size(), 0);
}

// Whether the literal may become true.
bool Models::assign(Literal literal) {
    auto& value = values_[atom_of(literal)];
    if (value >= 0) return (value == 1) != is_negated(literal);
    value = is_negated(literal) ? 0 : 1;
    trail_.push_back(literal);
    for (auto clause : occurrences_[literal]) ++satisfied_[clause];
    for (auto clause : occurrences_[literal ^ 1U]) --open_[clause];
    return true;
}

// Draws the conclusions of the literals that became true; false if a clause has none left.
bool Models::propagate(std::size_t from) {
    for (auto at = from; at < trail_.size(); ++at)
        for (auto clause : occurrences_[trail_[at] ^ 1U]) {
            if (satisfied_[clause] > 0 || open_[clause] > 1) continue;
            if (open_[clause] == 0) return false;
            for (auto literal : clauses_[clause])
                if (values_[atom_of(literal)] < 0 && !assign(literal)) return false;
        }
    return true;
}

void Models::undo(std::size_t to) {
    for (; trail_.size() > to; trail_.pop_back()) {
        const auto literal = trail_.back();
        values_[atom_of(literal)] = -1;
        for (auto clause : occurrences_[literal]) --satisfied_[clause];
        for (auto clause : occurrences_[literal ^ 1U]) ++open_[clause];
    }
}

void Models::each(const std::function<void(const Word*)>& visit, Stop& stop) {
    struct Choice {
        std::size_t trail;
        AtomId atom;
    };
    std::vector<Choice> choices;
    undo(0);
    bool sound = true;
    for (std::uint32_t clause = 0; clause < clauses_.size() && sound; ++clause) {
        if (clauses_[clause].empty()) sound = false;
        if (clauses_[clause].size() == 1) sound = assign(clauses_[clause][0]);
    }
    sound = sound && propagate(0);
    AtomId next = 0;
    for (std::uint64_t steps = 0;; ++steps) {
        if (steps % 1024 == 0 && stop.check(0, steps) != StopReason::none) throw Stopped(stop.reason());
        while (sound && next < atoms_ && values_[next] >= 0) ++next;
        if (sound && next < atoms_) {  // first try that it does not hold
            choices.push_back({trail_.size(), next});
            sound = assign(make_literal(next, true)) && propagate(trail_.size() - 1);
            continue;
        }
        if (sound) {
            std::ranges::fill(model_, Word{0});
            for (auto literal : trail_)
                if (!is_negated(literal)) set_bit(model_.data(), atom_of(literal));
            visit(model_.data());
        }
        if (choices.empty()) return;
        const auto [trail, atom] = choices.back();
        choices.pop_back();
        undo(trail);
        sound = assign(make_literal(atom, false)) && propagate(trail);
        next = atom;
    }
}

}  // namespace gpaplan
