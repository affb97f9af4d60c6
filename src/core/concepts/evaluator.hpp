// The value of expressions in a state.
//
// A state is entered, then asked about. A node is evaluated when it is asked for, at most once in a state, and those
// that depend on no fluent atom once for all. The fluent atoms of a predicate are neighbours in a packed state, so
// those that hold are found by walking over the bits of a few words.
//
//     evaluator.enter(bits);
//     if (evaluator.holds(literal, task.action_arguments[action])) …
#pragma once

#include <memory>

#include "concepts/distances.hpp"

namespace gpaplan {

class Evaluator {
public:
    // The task must outlive it.
    Evaluator(const Task& task, Expressions expressions);
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;

    // The questions that follow are about this state, which must stay where it is until the last of them.
    void enter(const Word* state) {
        state_ = state;
        ++now_;
    }

    // Of a concept, a relation or a distance.
    const Meaning& meaning(std::uint32_t node) {
        auto& value = values_[node];
        if (value.evaluated != now_ && (!value.is_static || value.evaluated == 0)) evaluate(value);
        return value.meaning;
    }
    // A literal; the arguments are those of the action that it is about.
    bool holds(NodeLiteral literal, IndexSpan arguments);

    const Task& task() const { return task_; }
    const Node& node(std::uint32_t id) const { return values_[id].node; }
    std::uint32_t node_count() const { return static_cast<std::uint32_t>(values_.size()); }
    const ObjectBlock& block() const { return universe_.blocks().front(); }

private:
    // Of the atoms that a node reads: the objects in one position or in two, and those that are so in every state. The
    // fluent atoms that count because they hold are a range; those that count because they do not are listed.
    struct Atoms {
        AtomId begin = 0, end = 0;
        Indices missing;
        Indices firsts, seconds;  // of the range, or of those missing
        bool always = false;      // of a predicate without arguments: it is so in every state
    };
    struct Path {
        Storage predecessors;
        Distances distances;
        std::uint64_t made = 0;  // when the predecessors were; 0 for never
    };
    // A node and its value.
    struct Value {
        Node node;
        Storage always;  // what is in it in every state, of a node that reads atoms
        Storage found;
        std::unique_ptr<Path> path;
        bool is_static = false;
        std::uint64_t evaluated = 0;  // when; 0 for never
        Atoms atoms{};
        Meaning meaning{};
    };

    void find_wanted_atoms();
    void add(Node node);
    void read_atoms(Value& value);
    void add_atom(Value& value, IndexSpan arguments, AtomId fluent);
    void evaluate(Value& value);
    const Distance* distances(Path& path, const Word* targets, std::uint32_t along);
    template <typename Visit>
    void for_each_atom(const Atoms& atoms, Visit visit) const;
    bool is_true(const Atoms& atoms) const;

    const Task& task_;
    Universe universe_;  // the objects, once
    std::vector<Indices> wanted_;
    Indices wanted_fluents_;          // the fluent atom that each is, no_id if it is none
    std::vector<bool> wanted_never_;  // it never holds
    std::vector<Value> values_;       // of nodes

    const Word* state_ = nullptr;
    std::uint64_t now_ = 0;
};

}  // namespace gpaplan
