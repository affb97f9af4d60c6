// What automata ask of an abstraction: the same id for what is to be treated the same.
//
// An abstraction gives states and actions of one task abstract ids, dense from 0 in order of first meeting; equal ids
// mean equal abstractions. What an id means is known to the implementation, which can spell it out and find the id of
// what was learned elsewhere. There are canonical abstraction (canonical.hpp), and one whose labels are texts that a
// function of the front end gives (bindings/automaton.cpp).
//
// An action means something only in a state, so a state is entered first. States that are merely looked at, such as the
// outcomes of an action, leave the state entered what it was:
//
//     source = abstraction.enter(bits);
//     for each action a:  abstraction.action(a);  for each outcome o of a:  abstraction.state(o);
#pragma once

#include "base/bits.hpp"
#include "base/ids.hpp"

namespace gpaplan {

using AbstractId = std::uint32_t;

class Abstraction {
public:
    virtual ~Abstraction() = default;

    // Enters a state, of whose actions the next questions are, and gives its abstract id.
    virtual AbstractId enter(const Word* state) = 0;
    // The abstract id of an action in the state entered. Ids of actions and of states are numbered apart.
    virtual AbstractId action(ActionId action) = 0;
    // The abstract id of any state.
    virtual AbstractId state(const Word* state) = 0;

    virtual std::uint32_t state_count() const = 0;
    virtual std::uint32_t action_count() const = 0;

    // Abstraction levels, each of which sees less than the one before; 0 is the abstraction itself. What is
    // equal at one level is equal at all that follow. Ids of different levels say nothing of each other.
    virtual std::uint32_t coarsest() const { return 0; }
    virtual AbstractId coarsened(AbstractId state, std::uint32_t level) { return level == 0 ? state : no_id; }
};

// The abstraction of the states of a space, cached by state.
class AbstractColumn {
public:
    explicit AbstractColumn(Abstraction& abstraction) : abstraction_(abstraction) {}

    AbstractId operator()(StateId state, const Word* bits) {
        auto& id = at_grown(ids_, state, no_id);
        return id == no_id ? id = abstraction_.state(bits) : id;
    }
    void set(StateId state, AbstractId id) { at_grown(ids_, state, no_id) = id; }
    void clear() { ids_ = {}; }

private:
    Abstraction& abstraction_;
    Indices ids_;
};

}  // namespace gpaplan
