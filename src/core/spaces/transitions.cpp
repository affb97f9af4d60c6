#include "spaces/transitions.hpp"

namespace gpaplan {

WordChunks::Place WordChunks::allocate(std::size_t words) {
    bytes_ += sizeof(std::uint32_t) * words;
    if (words > end_ - next_) {
        const auto count = (words + chunk_words) / chunk_words;  // of chunks; the first word stays unused
        next_ = chunk_words * chunks_.size() + 1;
        end_ = next_ - 1 + count * chunk_words;
        if (end_ > most) throw TaskTooLarge("more than 2 TiB of transitions");
        memory_.emplace_back().reserve(count * chunk_words);
        for (std::size_t i = 0; i < count; ++i) chunks_.push_back(memory_.back().data() + i * chunk_words);
        if (count > 1) end_ = next_ + words;  // so that nothing begins with one of the other chunks
    }
    const auto place = next_;
    next_ += words;
    return place;
}

void KindTable::append(Key kind) {
    auto* probabilities = (*chunks_)[chunks_->allocate(kind.size)];
    std::copy_n(kind.probabilities, kind.size, probabilities);
    kind.probabilities = probabilities;
    kinds_.push_back(kind);
}

std::uint64_t KindTable::hash(const Key& kind) const {
    auto hash = hash_step(std::uint64_t{kind.action} << 32U | kind.cost, 0x9e3779b97f4a7c15U);
    for (std::uint32_t i = 0; i < kind.size; ++i) hash = hash_step(hash, kind.probabilities[i]);
    return hash_finish(hash ^ kind.size);
}

bool KindTable::equal(const Key& a, const Key& b) const {
    return a.action == b.action && a.cost == b.cost && a.size == b.size &&
           std::equal(a.probabilities, a.probabilities + a.size, b.probabilities);
}

void TransitionStore::add(ActionId action, std::uint32_t cost, std::span<const Outcome> outcomes) {
    probabilities_.clear();
    for (const auto& outcome : outcomes) probabilities_.push_back(outcome.probability);
    const auto size = static_cast<std::uint32_t>(outcomes.size());
    block_.push_back(kinds_.intern({probabilities_.data(), size, action, cost}));
    for (const auto& outcome : outcomes) block_.push_back(outcome.successor);
}

TransitionStore::Place TransitionStore::keep() {
    const auto place = chunks_.allocate(block_.size() + 1);
    auto* words = chunks_[place];
    words[0] = static_cast<std::uint32_t>(block_.size());
    std::copy(block_.begin(), block_.end(), words + 1);
    return place;
}

}  // namespace gpaplan
