// Extensions of concepts and roles in many states of several tasks at once: what concepts are generated from.
//
// The extension of a concept is one long row of bits, a set of objects for each state; that of a role a set of pairs
// for each. Operators work on whole extensions. Equal extensions are one: each gets an id, dense from 0 in order of
// first meeting, so an operator has made something new if its result is the number of extensions that were known
// before.
#pragma once

#include <vector>

#include "base/interner.hpp"
#include "concepts/evaluator.hpp"

namespace gpaplan {

class Extensions {
public:
    struct Place {
        std::uint32_t task;  // the index of its evaluator
        std::vector<Word> state;
    };
    using ExtensionId = std::uint32_t;

    // The evaluators must outlive it; they know the nodes that extensions begin with.
    Extensions(std::vector<Evaluator*> evaluators, std::vector<Place> states);

    std::uint32_t state_count() const { return static_cast<std::uint32_t>(states_.size()); }
    std::uint32_t concept_count() const { return concepts_.size(); }
    std::uint32_t role_count() const { return roles_.size(); }

    // Of nodes: `nodes` has the id of the node for each task.
    ExtensionId concept_of(const Indices& nodes);
    ExtensionId role_of(const Indices& nodes);
    std::vector<bool> flag_of(const Indices& nodes);  // in each state

    ExtensionId complement(ExtensionId of);
    ExtensionId intersection(ExtensionId first, ExtensionId second);
    ExtensionId related(ExtensionId role, ExtensionId of, bool every);  // to some object of a concept, or only to such
    ExtensionId same(ExtensionId first, ExtensionId second);
    ExtensionId inverse(ExtensionId role);
    ExtensionId closure(ExtensionId role, bool reflexive);
    ExtensionId common(ExtensionId first, ExtensionId second);
    ExtensionId difference(ExtensionId first, ExtensionId second);

    // In a state, given by index.
    bool is(std::uint32_t state, std::uint32_t object, ExtensionId in) const {
        return test_bit(concepts_[in] + layout_[state].objects, object);
    }
    bool are(std::uint32_t state, std::uint32_t first, std::uint32_t second, ExtensionId role) const {
        const auto& at = layout_[state];
        return test_bit(roles_[role] + at.pairs + std::size_t{first} * at.width, second);
    }
    bool is_empty(std::uint32_t state, ExtensionId in) const;
    // The distances of all objects along a role to a concept, in a state. The last concept and role are remembered.
    const Distance* distances(std::uint32_t state, ExtensionId to, ExtensionId along);

    std::uint32_t task_of(std::uint32_t state) const { return states_[state].task; }
    const Task& task(std::uint32_t task) const { return evaluators_[task]->task(); }

private:
    struct Layout {  // of a state: where its objects and pairs begin, how many objects it has, in how many words
        std::size_t objects;
        std::size_t pairs;
        std::size_t distances;
        std::uint32_t count;
        std::uint32_t width;
    };
    template <typename Combine>
    ExtensionId combine(WordInterner& interner, const Word* first, const Word* second, std::size_t size,
                        Combine combine);
    void find_distances(const Layout& at, const Word* targets, const Word* rows);

    std::vector<Evaluator*> evaluators_;
    std::vector<Place> states_;
    std::vector<Layout> layout_;
    std::size_t objects_size_ = 0, pairs_size_ = 0, distances_size_ = 0;
    std::vector<Word> all_;  // the extension of everything
    WordInterner concepts_{1};
    WordInterner roles_{1};
    std::vector<Word> result_;
    std::vector<Distance> distances_;
    ExtensionId measured_to_ = no_id, measured_along_ = no_id;
};

// Columns of truth values of literals, one value for each of some rows (a state and an action of one schema). A column
// is new if neither it nor its complement has been met, and if it is not the same everywhere.
class LiteralColumns {
public:
    // The rows are pairs of a state's index and an action of its task. The extensions must outlive it.
    LiteralColumns(Extensions& extensions, const std::vector<std::pair<std::uint32_t, ActionId>>& rows);

    // Each makes a column and returns whether it is new; `column` has it then.
    bool is(std::uint32_t parameter, Extensions::ExtensionId in);
    bool related(std::uint32_t first, std::uint32_t second, Extensions::ExtensionId role);
    bool nearer(std::uint32_t first, std::uint32_t second, Extensions::ExtensionId to, Extensions::ExtensionId along);
    bool empty(Extensions::ExtensionId in);
    bool flag(const std::vector<bool>& of_state);

    const std::vector<Word>& column() const { return column_; }
    std::uint32_t row_count() const { return static_cast<std::uint32_t>(states_.size()); }
    std::uint32_t arity() const { return arity_; }
    const Extensions& extensions() const { return extensions_; }

private:
    template <typename Value>
    bool make(Value value);
    std::uint32_t argument(std::uint32_t row, std::uint32_t parameter) const {
        return arguments_[std::size_t{row} * arity_ + parameter];
    }

    Extensions& extensions_;
    Indices states_;     // of rows
    Indices arguments_;  // of rows
    std::uint32_t arity_ = 0;
    WordInterner seen_;
    std::vector<Word> column_;
};

}  // namespace gpaplan
