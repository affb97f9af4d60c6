// Representatives: of the states that are equal up to symmetry, the one that stands for them.
//
// Within each class members are sorted by their keys (what holds of each one alone). Where no relation between members
// holds that is all, and exact: two states have the same representative if and only if a permutation maps one to the
// other. Members that stand in relations take the places of their key in an order that is searched for (relations.hpp).
// That search is bounded: stopping early costs some reduction and never correctness.
//
// `enter` lists the runs of members with one key in a state that is expanded; for a successor only the members whose
// keys changed move from run to run. It also groups the members that swaps within one state change nothing for: of the
// actions that differ by such swaps only the one that takes the members of each group in their order is tried. None of
// these names a member of a run that comes later than an action has arguments of its class, so what only actions ask
// for that name it is left out of the state in which actions are looked for (`thinned`).
//
// A canonicaliser is the scratch memory of these computations, one for each thread.
#pragma once

#include "symmetry/relations.hpp"

namespace gpaplan {

// The members of each class by what truly sets them apart in a state: swapping two of a group changes nothing there.
class SwapGroups {
public:
    explicit SwapGroups(const Symmetry& symmetry) : symmetry_(symmetry) {}

    // Of the state that was read, and whose graph was coloured if there is any relation.
    void find(const OrderedMembers& members, const RelationGraph& graph, const Colouring& colouring);

    bool is_first(ActionId action) const;
    ActionId first_action(ActionId action) const;

private:
    std::uint32_t earlier_of_group(IndexSpan arguments, std::size_t i) const;

    struct Standing {
        std::uint32_t group;
        std::uint32_t rank;  // its place in the group
    };
    Standing standing(std::uint32_t member) const;

    const Symmetry& symmetry_;
    const OrderedMembers* members_ = nullptr;
    Indices related_;                  // members that stand in relations, ascending
    std::vector<Standing> standings_;  // of each of them; the others of a run are a group
    Indices sizes_;                    // scratch: of the groups of these
};

class Canonicaliser {
public:
    explicit Canonicaliser(std::shared_ptr<const Symmetry> symmetry);
    Canonicaliser(const Canonicaliser&) = delete;  // parts of it refer to each other
    Canonicaliser& operator=(const Canonicaliser&) = delete;

    const Symmetry& symmetry() const { return *symmetry_; }

    // Replaces a state by its representative.
    void canonicalise(Word* state);
    // The permutation that the last call of `canonicalise` applied: for each object what it became.
    Indices permutation() const;
    // Whether the last call of `canonicalise` looked at everything it had to.
    bool was_exact() const { return exact_; }

    // What follows is about this state, which must stay where it is meanwhile. A call of `canonicalise` ends it.
    void enter(const Word* state);
    // Replaces a state that is much like the one entered by its representative.
    void canonicalise_successor(Word* state);
    // The state that was entered, without atoms that nothing but actions that are not first ask for.
    const Word* thinned() const { return thinned_.data(); }
    // Whether no other action that differs by swaps within the groups comes before it.
    bool is_first(ActionId action) const { return groups_.is_first(action); }
    // The action that does.
    ActionId first_action(ActionId action) const { return groups_.first_action(action); }

private:
    void place_relations(const KeyReading& reading, Word* state);
    void thin(const Word* state);

    std::shared_ptr<const Symmetry> symmetry_;
    OrderedMembers members_;  // of the state entered, or of the one canonicalised last
    const Word* entered_ = nullptr;
    KeyChanges changes_;  // from the state entered to a successor
    RelationGraph graph_;
    Colouring colouring_;
    PlacementSearch search_;
    Indices run_ends_;  // of each vertex of the graph
    bool exact_ = true;
    SwapGroups groups_;          // of the state entered
    std::vector<Word> thinned_;  // the same
};

}  // namespace gpaplan
