#include "spaces/state_space.hpp"

#include "symmetry/representative.hpp"

namespace gpaplan {

StateSpace::StateSpace(std::shared_ptr<const Task> task, std::uint64_t max_outcomes,
                       std::shared_ptr<const Symmetry> symmetry, Stop& stop, TransitionFilter* filter)
    : task_(std::move(task)),
      symmetry_(std::move(symmetry)),
      canonicaliser_(symmetry_ == nullptr ? nullptr : std::make_unique<Canonicaliser>(symmetry_)),
      filter_(filter),
      registry_(task_->word_count()),
      successors_(*task_, stop),
      outcomes_(*task_, numbers_, max_outcomes, stop),
      current_(task_->word_count()) {
    initial_ = intern_initial();
}

StateSpace::~StateSpace() = default;

StateId StateSpace::intern_initial() {
    std::vector<Word> state(task_->word_count(), 0);
    for (auto atom : task_->initial_atoms) set_bit(state.data(), atom);
    return intern(state.data());
}

Indices StateSpace::forget_states(IndexSpan kept) {
    std::vector<Word> words;
    for (auto state : kept) words.insert(words.end(), bits(state), bits(state) + task_->word_count());
    registry_ = WordInterner(task_->word_count());
    places_ = {};
    marks_ = {};
    transitions_.clear();
    expanded_ = 0;
    pairs_ = 0;
    if (filter_ != nullptr) filter_->forget_states();
    initial_ = intern_initial();
    Indices ids;
    for (std::size_t i = 0; i < kept.size(); ++i)
        ids.push_back(intern_representative(words.data() + i * task_->word_count()));
    return ids;
}

StateId StateSpace::intern(const Word* state) {
    if (canonicaliser_ == nullptr) return intern_representative(state);
    std::vector<Word> copy(state, state + current_.size());
    canonicaliser_->canonicalise(copy.data());
    return intern_representative(copy.data());
}

StateId StateSpace::intern_representative(const Word* state) {
    if (const auto growth = registry_.next_growth(); growth > 0 && stop_ != nullptr) stop_->expect(growth);
    const auto id = registry_.intern(state);
    if (id == places_.size()) {
        marks_.push_back(holds(*task_, task_->goal, state) ? goal_mark : 0);
        places_.push_back(0);
    }
    return id;
}

void StateSpace::build_block(StateId state) {
    std::copy_n(registry_[state], current_.size(), current_.data());
    find_actions(state);
    write_block(state);
}

// Collects the actions to try in the state; of those that are equal up to symmetry one.
void StateSpace::find_actions(StateId state) {
    applicable_.clear();
    if (is_goal(state)) return;
    if (canonicaliser_ == nullptr) return successors_.applicable(current_.data(), applicable_);
    canonicaliser_->enter(current_.data());
    successors_.applicable(canonicaliser_->thinned(), applicable_);
    std::erase_if(applicable_, [&](auto action) { return !canonicaliser_->is_first(action); });
}

void StateSpace::write_block(StateId state) {
    transitions_.begin();
    std::uint32_t widest = 0;
    std::uint32_t kept = 0;
    if (filter_ != nullptr) filter_->enter(state, current_.data(), applicable_);
    for (auto action : applicable_) {
        if (filter_ != nullptr && !filter_->keeps_action(action)) continue;
        outcomes_.enumerate(action, current_.data(), list_);
        if (canonicaliser_ != nullptr) canonicalise_outcomes();
        if (filter_ != nullptr && !keeps_outcomes()) continue;
        merge_successors();
        ++kept;
        widest = std::max(widest, static_cast<std::uint32_t>(merged_.size()));
        transitions_.add(action, list_.cost, merged_);
    }
    if (kept == 0 && filter_ != nullptr && !applicable_.empty() && filter_->relents()) return write_block(state);
    const auto place = transitions_.keep();
    places_[state] = static_cast<std::uint32_t>(place);
    marks_[state] |= static_cast<std::uint8_t>(place >> 32U);
    widest_ = std::max(widest_, widest);
    pairs_ += kept;
    ++expanded_;
}

// Replaces the outcomes by their representatives; those that leave the state as it is need no work.
void StateSpace::canonicalise_outcomes() {
    constexpr std::uint64_t steps_of_a_permutation = 64;
    for (std::size_t i = 0; i < list_.size(); ++i) {
        if (stop_ != nullptr) stop_->poll(steps_of_a_permutation);
        Word* bits = list_.states.data() + i * current_.size();
        if (!std::equal(current_.begin(), current_.end(), bits)) canonicaliser_->canonicalise_successor(bits);
    }
}

bool StateSpace::keeps_outcomes() const {
    for (std::size_t i = 0; i < list_.size(); ++i) {
        const Word* bits = list_.states.data() + i * current_.size();
        if (!filter_->keeps_outcome(registry_.find(bits), bits)) return false;
    }
    return true;
}

// Interns the successors in `list_` and merges equal ones into `merged_`, in order of first occurrence.
void StateSpace::merge_successors() {
    constexpr std::size_t few = 16;
    constexpr std::uint64_t steps_of_an_outcome = 4;
    merged_.clear();
    std::optional<ListInterner> distinct;
    if (list_.size() > few) distinct.emplace();
    for (std::size_t i = 0; i < list_.size(); ++i) {
        if (stop_ != nullptr) stop_->poll(steps_of_an_outcome);
        const auto successor = intern_representative(list_.states.data() + i * current_.size());
        if (filter_ != nullptr) filter_->meet(i, successor);
        std::size_t at = 0;
        if (distinct)
            at = distinct->intern({&successor, 1});
        else
            while (at < merged_.size() && merged_[at].successor != successor) ++at;
        if (at == merged_.size()) {
            merged_.push_back({list_.probabilities[i], successor});
        } else {
            const double sum = numbers_[merged_[at].probability] + numbers_[list_.probabilities[i]];
            merged_[at].probability = numbers_.intern(sum);
        }
    }
    if (merged_.size() == 1) merged_[0].probability = NumberPool::one;
}

std::uint64_t StateSpace::state_bytes() const {
    return registry_.bytes() + sizeof(places_[0]) * places_.capacity() + marks_.capacity();
}

bool StateSpace::explore(std::uint64_t max_states, Stop& stop) {
    struct Scope {  // the limits hold only while exploring
        StateSpace& space;
        ~Scope() { space.set_stop(nullptr); }
    } scope{*this};
    set_stop(&stop);
    try {
        for (StateId state = 0; state < size(); ++state) {
            if (size() > max_states) return false;
            expand(state);
        }
    } catch (const Stopped&) {
        return false;
    }
    return true;
}

}  // namespace gpaplan
