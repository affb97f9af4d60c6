#include "spaces/state_space.hpp"

namespace gpaplan {

static_assert(sizeof(Outcome) == 2 * sizeof(std::uint32_t) && alignof(Outcome) == alignof(std::uint32_t));

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

StateId StateSpace::intern_initial() {
    std::vector<Word> state(task_->word_count(), 0);
    for (auto atom : task_->initial_atoms) set_bit(state.data(), atom);
    return intern(state.data());
}

Indices StateSpace::forget_states(IndexSpan kept) {
    std::vector<Word> words;
    for (auto state : kept) words.insert(words.end(), bits(state), bits(state) + task_->word_count());
    registry_ = WordInterner(task_->word_count());
    goal_ = {};
    blocks_ = {};
    chunks_.clear();
    chunk_left_ = 0;
    chunk_next_ = nullptr;
    expanded_ = 0;
    pairs_ = 0;
    transition_bytes_ = 0;
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
    if (id == goal_.size()) {
        goal_.push_back(holds(*task_, task_->goal, state) ? 1 : 0);
        blocks_.push_back(nullptr);
    }
    return id;
}

Block StateSpace::expand(StateId state) {
    if (blocks_[state] == nullptr) {
        std::copy_n(registry_[state], current_.size(), current_.data());
        find_actions(state);
        write_block(state);
    }
    return Block(blocks_[state]);
}

// Collects the actions to try in the state; of those that are equal up to renaming one.
void StateSpace::find_actions(StateId state) {
    applicable_.clear();
    if (is_goal(state)) return;
    successors_.applicable(current_.data(), applicable_);
    if (canonicaliser_ == nullptr || applicable_.empty()) return;
    canonicaliser_->enter(current_.data());
    std::erase_if(applicable_, [&](auto action) { return !canonicaliser_->is_first(action); });
}

void StateSpace::write_block(StateId state) {
    block_.clear();
    std::uint32_t widest = 0;
    std::uint32_t kept = 0;
    if (filter_ != nullptr) filter_->enter(state, current_.data());
    for (auto action : applicable_) {
        if (filter_ != nullptr && !filter_->keeps_action(action)) continue;
        outcomes_.enumerate(action, current_.data(), list_);
        if (canonicaliser_ != nullptr) canonicalise_outcomes();
        if (filter_ != nullptr && !keeps_outcomes()) continue;
        merge_successors();
        ++kept;
        widest = std::max(widest, static_cast<std::uint32_t>(merged_.size()));
        block_.push_back(action);
        block_.push_back(list_.cost);
        block_.push_back(static_cast<std::uint32_t>(merged_.size()));
        for (const auto& outcome : merged_) {
            block_.push_back(outcome.probability);
            block_.push_back(outcome.successor);
        }
    }
    if (kept == 0 && filter_ != nullptr && !applicable_.empty() && filter_->relents()) return write_block(state);
    auto* words = allocate(block_.size() + 2);
    words[0] = kept;
    words[1] = static_cast<std::uint32_t>(block_.size());
    std::copy(block_.begin(), block_.end(), words + 2);
    blocks_[state] = words;
    widest_ = std::max(widest_, widest);
    pairs_ += kept;
    ++expanded_;
}

// Replaces the outcomes by their representatives; those that leave the state as it is need no work.
void StateSpace::canonicalise_outcomes() {
    constexpr std::uint64_t steps_of_a_renaming = 64;
    for (std::size_t i = 0; i < list_.size(); ++i) {
        if (stop_ != nullptr) stop_->poll(steps_of_a_renaming);
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
    if (list_.size() > few) distinct_.clear();
    for (std::size_t i = 0; i < list_.size(); ++i) {
        if (stop_ != nullptr) stop_->poll(steps_of_an_outcome);
        const auto successor = intern_representative(list_.states.data() + i * current_.size());
        if (filter_ != nullptr) filter_->meet(i, successor);
        std::size_t at = 0;
        if (list_.size() <= few) {
            while (at < merged_.size() && merged_[at].successor != successor) ++at;
        } else {
            at = distinct_.intern({&successor, 1});
        }
        if (at == merged_.size()) {
            merged_.push_back({list_.probabilities[i], successor});
        } else {
            const double sum = numbers_[merged_[at].probability] + numbers_[list_.probabilities[i]];
            merged_[at].probability = numbers_.intern(sum);
        }
    }
    if (merged_.size() == 1) merged_[0].probability = NumberPool::one;
}

std::uint32_t* StateSpace::allocate(std::size_t words) {
    constexpr std::size_t chunk = std::size_t{1} << 19U;  // 2 MiB
    transition_bytes_ += 4 * words;
    if (words > chunk_left_) {
        const auto size = std::max(chunk, words);
        chunks_.emplace_back().reserve(size);
        chunk_next_ = chunks_.back().data();
        chunk_left_ = size;
    }
    auto* result = chunk_next_;
    chunk_next_ += words;
    chunk_left_ -= words;
    return result;
}

std::uint64_t StateSpace::state_bytes() const {
    return registry_.bytes() + goal_.capacity() + sizeof(blocks_[0]) * blocks_.capacity();
}

bool StateSpace::explore(std::uint64_t max_states, Stop& stop) {
    struct Scope {  // the limits hold only while exploring
        StateSpace& space;
        ~Scope() { space.set_stop(nullptr); }
    } scope{*this};
    set_stop(&stop);
    std::vector<bool> reached(size(), false);
    std::vector<StateId> queue{initial_};
    reached[initial_] = true;
    try {
        for (std::size_t at = 0; at < queue.size(); ++at) {
            if (size() > max_states) return false;
            const auto block = expand(queue[at]);
            reached.resize(size(), false);
            for (const auto transition : block) {
                for (const auto& outcome : transition.outcomes) {
                    if (reached[outcome.successor]) continue;
                    reached[outcome.successor] = true;
                    queue.push_back(outcome.successor);
                }
            }
        }
    } catch (const Stopped&) {
        return false;
    }
    return true;
}

}  // namespace gpaplan
