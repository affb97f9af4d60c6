// Interned ground atoms, for the grounder: (predicate, arguments) <-> dense id in order of first insertion.
#pragma once

#include <algorithm>
#include <utility>

#include "base/hash.hpp"
#include "base/ids.hpp"
#include "base/ranges.hpp"

namespace gpaplan {

class AtomTable {
public:
    AtomTable() : slots_(1024, no_id) {}

    std::uint32_t size() const { return static_cast<std::uint32_t>(predicates_.size()); }
    std::uint32_t predicate(std::uint32_t id) const { return predicates_[id]; }
    IndexSpan arguments(std::uint32_t id) const { return arguments_[id]; }

    // The atom's id, or no_id.
    std::uint32_t find(std::uint32_t predicate, IndexSpan arguments) const {
        return slots_[slot(predicate, arguments)];
    }

    // The atom's id, and whether it is new.
    std::pair<std::uint32_t, bool> insert(std::uint32_t predicate, IndexSpan arguments) {
        auto at = slot(predicate, arguments);
        if (slots_[at] != no_id) return {slots_[at], false};
        const auto id = size();
        predicates_.push_back(predicate);
        arguments_.values.insert(arguments_.values.end(), arguments.begin(), arguments.end());
        arguments_.close();
        slots_[at] = id;
        if (2 * std::size_t{id} > slots_.size()) grow();
        return {id, true};
    }

private:
    std::size_t slot(std::uint32_t predicate, IndexSpan arguments) const {
        std::uint64_t hash = hash_step(predicate_seed, predicate);
        for (auto argument : arguments) hash = hash_step(hash, argument);
        auto at = hash_finish(hash) & (slots_.size() - 1);
        while (slots_[at] != no_id && !same(slots_[at], predicate, arguments)) at = (at + 1) & (slots_.size() - 1);
        return at;
    }
    bool same(std::uint32_t id, std::uint32_t predicate, IndexSpan arguments) const {
        return predicates_[id] == predicate && std::ranges::equal(arguments_[id], arguments);
    }
    void grow() {
        slots_.assign(2 * slots_.size(), no_id);
        for (std::uint32_t id = 0; id < size(); ++id) slots_[slot(predicates_[id], arguments_[id])] = id;
    }

    static constexpr std::uint64_t predicate_seed = 0x9e3779b97f4a7c15U;
    Indices predicates_;
    Ranges arguments_;
    Indices slots_;
};

}  // namespace gpaplan
