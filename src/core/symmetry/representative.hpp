// Representatives: of the states that are equal up to renaming interchangeable objects, the one that stands for them.
//
// Within each class, members are sorted by their keys (what holds of each one alone), and the permutation is applied to
// the bits of the state. Where no relation between members holds that is all, and it is exact: two states have the same
// representative if and only if a permutation maps one to the other.
//
// Members that stand in relations are coloured: by their keys first, then round by round by the colours of those they
// are related to, until no round tells more of them apart. Members of one key take their places in the order of their
// colours. If several members still have one colour and are not *twins* (swapping them changes nothing), one
// after the other is singled out, the colours are refined again, and of the states that come of it the least one is
// taken. Choices that lead to the same state are taken for equivalent, and the search ends after 64 states or 100,000
// looks at a relation: what is found by then is a state of the same orbit, so stopping early costs some reduction and
// never correctness.
//
// Successors differ little from a representative, so most is known when one is expanded: `enter` lists the runs of
// members with one key, and for a successor only the members whose keys changed move from run to run. That costs what
// changed and the number of runs, not the number of members.
//
// `enter` also divides the members by what truly sets them apart in one state. Swapping two of a group changes nothing
// there, so of the actions that differ by such swaps only one need be tried: the one that takes the members of each
// group in their order.
//
// A canonicaliser is the scratch memory of these computations, one for each thread.
#pragma once

#include <deque>

#include "symmetry/symmetry.hpp"

namespace gpaplan {

class Canonicaliser {
public:
    explicit Canonicaliser(std::shared_ptr<const Symmetry> symmetry);

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
    // Whether no other action that differs by swaps within the groups comes before it.
    bool is_first(ActionId action) const;
    // The action that does.
    ActionId first_action(ActionId action) const;

private:
    using Colour = std::uint64_t;
    using Colours = std::vector<Colour>;  // of each related member

    struct Run {  // of members of one class with the same key; it begins where the one before ends
        const Word* key;
        std::uint32_t end;  // of their places in the representative
    };

    void read(const Word* state);
    const Word* key(std::uint32_t member) const { return keys_.data() + symmetry_->key_begin(member); }
    bool have_one_key(std::uint32_t a, std::uint32_t b) const;  // of two members of one class
    void sort_class(std::uint32_t c);
    void find_runs();
    void find_groups();
    void flip(Word* state, std::uint32_t member, const Word* from, const Word* to) const;

    bool read_changes(const Word* state);
    static const Run* find_run(const std::vector<Run>& runs, const Word* key, std::uint32_t width);
    void move_runs(std::uint32_t c, std::span<const std::uint32_t> members);
    void write_runs(Word* state, std::uint32_t c) const;

    void relate();
    std::uint32_t colour();                  // returns how many colours there are
    std::uint32_t refine(Colours& colours);  // the same
    std::uint32_t count_colours(const Colours& colours);
    void find_twins(const Word* state, std::uint32_t distinct);
    bool are_twins(const Word* state, std::uint32_t a, std::uint32_t b) const;
    void place_relations(Word* state);
    void sort_by_colour(const Colours& colours);
    void choose_cell(const Colours& colours, Indices& best);
    void search(std::size_t depth, const Colours& colours, std::uint32_t distinct, bool leftmost, Indices& first);
    void place_related(const Colours& colours, Indices& image);

    std::shared_ptr<const Symmetry> symmetry_;

    // The state read last.
    std::vector<Word> keys_;
    Indices relations_;  // those that hold
    bool exact_ = true;

    Indices order_;  // the members of each class by their keys
    Indices kept_;
    Indices strays_;
    std::vector<std::vector<Run>> runs_;  // of each class

    // The state entered, and how a successor differs from it.
    const Word* entered_ = nullptr;
    bool sorted_ = false;  // whether the keys of the state entered are, as those of a representative must be
    std::vector<Word> entered_keys_;
    Indices entered_relations_;
    Indices member_runs_;                       // of each member: its run
    Indices changed_;                           // the members whose keys changed, ascending
    std::vector<std::uint8_t> is_changed_;      // of each member
    std::vector<std::vector<Run>> moved_runs_;  // of each class with such members: its runs in the successor
    std::vector<std::uint8_t> has_moved_;       // of each class
    Indices moved_;                             // the classes that have

    // The members that stand in relations.
    Indices related_;
    Indices related_index_;  // of each member: its place there, or no_id
    Ranges incident_;        // of each of them: the relations it stands in
    Colours colours_;
    Colours sums_;
    Colours scratch_;
    Indices twins_;     // of each of them: the first of its twins
    Indices run_ends_;  // of each of them: the end of its run
    Indices by_colour_;
    std::uint64_t work_ = 0;
    std::uint32_t leaves_ = 0;
    Indices places_;       // of each of them
    Indices best_places_;  // these for the least state found so far
    Indices best_;         // and the relations of that state
    struct Frame {         // of the search: the choices at one depth
        Indices cell;
        Colours colours;
        Indices image;
        std::vector<Indices> seen;
    };
    std::deque<Frame> frames_;
    Indices cell_;
    Indices image_;

    // Groups, of the state entered last.
    Indices groups_;  // of each member
    Indices ranks_;   // of each member: its place in its group
    Indices group_sizes_;
};

}  // namespace gpaplan
