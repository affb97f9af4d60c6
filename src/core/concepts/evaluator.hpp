// The value of expressions in a state.
//
// A state is entered, then asked about. A node is evaluated when it is asked for, at most once in a state, and those
// that depend on no fluent atom once for all. The fluent atoms of a predicate are neighbours in a packed state, so
// those that hold are found by walking over the bits of a few words.
//
//     evaluator.enter(bits);
//     if (evaluator.holds(literal, task.action_arguments[action])) …
#pragma once

#include <vector>

#include "concepts/distances.hpp"
#include "concepts/expressions.hpp"
#include "concepts/relation.hpp"

namespace gpaplan {

class Evaluator {
public:
    // The task must outlive it.
    Evaluator(const Task& task, Expressions expressions);

    // The questions that follow are about this state, which must stay where it is until the last of them.
    void enter(const Word* state) {
        state_ = state;
        ++now_;
    }

    const Word* objects(std::uint32_t node);       // of a concept, `width` words
    const Relation& relation(std::uint32_t node);  // of a role
    const Distance* distances(std::uint32_t node);
    // A literal; the arguments are those of the action that it is about.
    bool holds(NodeLiteral literal, IndexSpan arguments);

    const Task& task() const { return task_; }
    const Node& node(std::uint32_t id) const { return values_[id].node; }
    std::uint32_t node_count() const { return static_cast<std::uint32_t>(values_.size()); }
    std::uint32_t object_count() const { return object_count_; }
    std::uint32_t width() const { return width_; }
    bool is_static(std::uint32_t node) const { return values_[node].is_static; }

private:
    // Of the atoms that a node reads: the objects in one position or in two, and those that are so in every state. The
    // fluent atoms that count because they hold are a range; those that count because they do not are listed.
    struct Atoms {
        AtomId begin = 0, end = 0;
        Indices missing;
        Indices firsts, seconds;  // of the range, or of those missing
        bool always = false;      // of a predicate without arguments: it is so in every state
    };
    // A node and where its value is.
    struct Value {
        Node node;
        bool is_static = false;
        std::uint64_t evaluated = 0;  // when; 0 for never
        std::uint32_t place = 0;      // among the concepts, roles or distances
        Atoms atoms{};
    };
    struct Role {
        Relation always;  // the pairs that are in it in every state
        Relation pairs;
    };
    struct Path {
        Relation predecessors;
        Distances distances;
        bool is_ready = false;  // the role is static, and its predecessors are known
        const Distance* result = nullptr;
    };

    void find_wanted_atoms();
    void add_place(Value& value);
    void read_atoms(Value& value);
    void add_atom(Value& value, IndexSpan arguments, AtomId fluent);
    bool is_current(const Value& value) const {
        return value.evaluated == now_ || (value.is_static && value.evaluated != 0);
    }
    void evaluate_objects(const Value& value, Word* result);
    void evaluate_relation(const Value& value, Relation& result);
    template <typename Visit>
    void for_each_atom(const Atoms& atoms, Visit visit) const;
    bool is_true(const Atoms& atoms) const;
    bool literal_holds(const Value& value, IndexSpan arguments);
    Word* place_of(std::vector<Word>& sets, std::uint32_t place) const {
        return sets.data() + std::size_t{place} * width_;
    }

    const Task& task_;
    std::uint32_t object_count_;
    std::uint32_t width_;  // of a set of objects, in words
    std::vector<Indices> wanted_;
    Indices wanted_fluents_;          // the fluent atom that each is, no_id if it is none
    std::vector<bool> wanted_never_;  // it never holds
    std::vector<Value> values_;       // of nodes
    std::vector<Word> all_;           // the set of all objects
    std::vector<Word> always_;        // of concepts: the objects that are in it in every state
    std::vector<Word> sets_;          // of concepts
    std::vector<Role> roles_;
    std::vector<Path> paths_;

    const Word* state_ = nullptr;
    std::uint64_t now_ = 0;
};

}  // namespace gpaplan
