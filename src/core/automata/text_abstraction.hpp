// An abstraction whose labels are texts that two functions give: how one that is written outside the core joins in.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "automata/abstraction.hpp"

namespace gpaplan {

// Texts by id, in order of first meeting.
class TextTable {
public:
    std::uint32_t intern(const std::string& text) {
        const auto [place, is_new] = ids_.try_emplace(text, size());
        if (is_new) texts_.push_back(&place->first);
        return place->second;
    }
    const std::string& operator[](std::uint32_t id) const { return *texts_[id]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }

private:
    std::unordered_map<std::string, std::uint32_t> ids_;
    std::vector<const std::string*> texts_;
};

class TextAbstraction : public Abstraction {
public:
    using StateText = std::function<std::string(const Word* state)>;
    using ActionText = std::function<std::string(const Word* state, ActionId action)>;

    TextAbstraction(std::uint32_t word_count, StateText state_text, ActionText action_text)
        : word_count_(word_count), state_text_(std::move(state_text)), action_text_(std::move(action_text)) {}

    AbstractId enter(const Word* state) override {
        entered_.assign(state, state + word_count_);
        return this->state(state);
    }
    AbstractId action(ActionId action) override { return actions.intern(action_text_(entered_.data(), action)); }
    AbstractId state(const Word* state) override {
        if (last_.empty() || !std::equal(last_.begin(), last_.end(), state)) {
            last_id_ = states.intern(state_text_(state));
            last_.assign(state, state + word_count_);
        }
        return last_id_;
    }
    std::uint32_t state_count() const override { return states.size(); }
    std::uint32_t action_count() const override { return actions.size(); }

    TextTable states;
    TextTable actions;

private:
    std::uint32_t word_count_;
    StateText state_text_;
    ActionText action_text_;
    std::vector<Word> entered_;
    std::vector<Word> last_;  // the state asked about last; empty if there is none
    AbstractId last_id_ = no_id;
};

}  // namespace gpaplan
