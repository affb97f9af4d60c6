// Extensions of concepts and relations in many states of several tasks at once: what concepts are generated from.
//
// The states stand side by side in one universe (meaning.hpp). Equal extensions are one: each concept gets an id, and
// each relation, dense from 0 in order of first meeting.
#pragma once

#include <map>
#include <optional>

#include "concepts/evaluator.hpp"

namespace gpaplan {

using ExtensionId = std::uint32_t;

class Extensions {
public:
    struct Place {
        std::uint32_t task;  // the index of its evaluator
        std::vector<Word> state;
    };

    // The evaluators must outlive it; they know the nodes that extensions begin with.
    Extensions(std::vector<Evaluator*> evaluators, std::vector<Place> states);
    Extensions(const Extensions&) = delete;
    Extensions& operator=(const Extensions&) = delete;

    // The id of a concept or a relation: of nodes, one for each task; or made of others by their ids. What is new gets
    // the next one.
    ExtensionId read(const Indices& nodes);
    ExtensionId make(NodeKind kind, const Indices& operands);

    // What literals of a kind are about, given by the ids of concepts and relations; valid until the next call.
    Meaning part(NodeKind literal, const Indices& operands);
    // What `nearer_for` compares, where its first parameter is this object.
    Meaning part_for(std::uint32_t object, const Indices& operands);
    // Whether a literal of the state alone holds in a state, given by index; `nodes` has one for each task.
    bool holds(std::uint32_t state, const Indices& nodes);

    std::uint32_t state_count() const { return static_cast<std::uint32_t>(states_.size()); }
    const ObjectBlock& block(std::uint32_t state) const { return universe_.blocks()[state]; }
    const Task& task_of(std::uint32_t state) const { return evaluators_[states_[state].task]->task(); }

private:
    std::vector<Meaning> meanings(const std::vector<Sort>& sorts, const Indices& ids) const;
    const Distance* measure(ExtensionId along, const Meaning& relation, const Word* targets);
    ExtensionId intern(Sort sort);
    Storage& result(Sort sort) { return sort == Sort::concept_ ? objects_ : pairs_; }

    std::vector<Evaluator*> evaluators_;
    std::vector<Place> states_;
    Universe universe_;
    WordInterner concepts_{1};
    WordInterner relations_{1};
    std::vector<Word> sources_;  // of relations: the objects that have successors
    Storage objects_, pairs_;    // what is being made
    std::optional<Distances> distances_;
    std::map<ExtensionId, Storage> predecessors_;  // by relations that distances are along
    Indices measured_;                             // the concept and relation of the last distances
    const Distance* measure_ = nullptr;
};

// Columns of truth values of literals, one value for each of some rows (a state and an action of one schema). A column
// is new if neither it nor its complement has been met, and if it is not the same everywhere.
class LiteralColumns {
public:
    // The rows are pairs of a state's index and an action of its task. The extensions must outlive it.
    LiteralColumns(Extensions& extensions, const std::vector<std::pair<std::uint32_t, ActionId>>& rows);

    // Makes a column and returns whether it is new; `column` has it then. The operands are ids of concepts and
    // relations, or of a flag its nodes, one for each task.
    bool make(NodeKind kind, const Indices& parameters, const Indices& operands);

    const std::vector<Word>& column() const { return column_; }

private:
    template <typename Value>
    bool fill(Value value);
    bool make_nearer_for(const Indices& parameters, const Indices& operands);
    std::uint32_t row_count() const { return static_cast<std::uint32_t>(states_.size()); }
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
