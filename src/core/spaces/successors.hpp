// Which actions are applicable in a state, without looking at the others.
//
// Actions with the same precondition share an entry. The entries are arranged in a tree: a node first tests the
// literals that all entries below it need (its guard, a few masked words), then branches. The remaining entries were
// divided by the literal that is most frequent among them, and the branches of one word are found together: the bits of
// `state & mask` are exactly the branches to follow. So a visit costs the number of branches that are true, not the
// number of branches there are.
//
// Example, Gripper: the root branches on robot-in(A) and robot-in(B); below robot-in(A), on each free hand; below it,
// on each ball in A. With a thousand balls in A all of which are gone, picking costs a few words.
#pragma once

#include "base/stop.hpp"
#include "task/task.hpp"

namespace gpaplan {

class SuccessorGenerator {
public:
    SuccessorGenerator(const Task& task, Stop& stop);  // throws Stopped

    // Appends the applicable actions to `result`, in ascending order.
    void applicable(const Word* state, Indices& result) const;
    Indices applicable(const Word* state) const {
        Indices result;
        applicable(state, result);
        return result;
    }

private:
    struct Guard {
        std::uint32_t word;
        Word positive;
        Word negative;
    };
    struct Branch {
        std::uint32_t word;
        std::uint32_t first_child;
        Word mask;
        bool negative;
    };
    struct Entry {
        std::uint32_t condition;  // tested as a whole if it has disjunctions, else no_id
        std::uint32_t actions_begin;
        std::uint32_t actions_end;
    };
    struct Node {
        std::uint32_t guards_begin = 0, guards_end = 0;
        std::uint32_t branches_begin = 0, branches_end = 0;
        std::uint32_t entries_begin = 0, entries_end = 0;
    };
    struct Item {  // while building: a precondition and its literals not tested so far, a range of `literals_`
        std::uint32_t entry;
        std::size_t begin, end;
    };
    std::span<Literal> literals(const Item& item) { return {literals_.data() + item.begin, item.end - item.begin}; }
    template <typename Which>
    void drop(Item& item, Which which) {
        item.end -= std::ranges::remove_if(literals(item), which).size();
    }

    void build(std::uint32_t node, std::vector<Item> items, Stop& stop);
    void add_guards(Node& node, std::vector<Item>& items);
    void visit(std::uint32_t node, const Word* state, Indices& result) const;

    const Task& task_;
    std::vector<Node> nodes_;
    std::vector<Guard> guards_;
    std::vector<Branch> branches_;
    std::vector<Entry> entries_;      // in the order of the leaves
    std::vector<Entry> all_entries_;  // while building
    Indices actions_;
    Indices frequency_;  // while building: of each literal
    Indices literals_;   // while building
};

}  // namespace gpaplan
