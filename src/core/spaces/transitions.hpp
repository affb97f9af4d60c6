// The transitions of expanded states, in as few bytes as can still be read fast.
//
// What most transitions have in common is their kind: an action, its expected cost, and the probabilities of its
// outcomes. Kinds are interned, and the transitions of a state are one block of 32-bit words:
//
//     number of words that follow, then for each applicable action its kind and the successors of its outcomes
//
// A task has few kinds, which stay in the processor's cache. Blocks and kinds lie in large chunks that never move: a
// `Transition` stays valid while other states are expanded.
#pragma once

#include <iterator>

#include "base/interner.hpp"

namespace gpaplan {

struct Outcome {
    std::uint32_t probability;  // an index into the pool of numbers
    StateId successor;
};

// The outcomes of a transition, a range of `Outcome`s: their probabilities and their successors lie apart.
class Outcomes {
public:
    class Iterator {
    public:
        using value_type = Outcome;
        using difference_type = std::ptrdiff_t;

        Iterator() = default;
        Iterator(const std::uint32_t* probability, const StateId* successor)
            : probability_(probability), successor_(successor) {}
        Outcome operator*() const { return {*probability_, *successor_}; }
        Iterator& operator++() {
            ++probability_;
            ++successor_;
            return *this;
        }
        Iterator operator++(int) {
            const auto before = *this;
            ++*this;
            return before;
        }
        bool operator==(const Iterator& other) const { return successor_ == other.successor_; }

    private:
        const std::uint32_t* probability_ = nullptr;
        const StateId* successor_ = nullptr;
    };

    Outcomes() = default;
    Outcomes(const std::uint32_t* probabilities, IndexSpan successors)
        : probabilities_(probabilities), successors_(successors) {}

    std::size_t size() const { return successors_.size(); }
    bool empty() const { return successors_.empty(); }
    IndexSpan successors() const { return successors_; }
    Outcome operator[](std::size_t i) const { return {probabilities_[i], successors_[i]}; }
    Iterator begin() const { return {probabilities_, successors_.data()}; }
    Iterator end() const { return {probabilities_ + size(), successors_.data() + size()}; }

private:
    const std::uint32_t* probabilities_ = nullptr;
    IndexSpan successors_;
};

// One applicable action of an expanded state.
struct Transition {
    ActionId action;
    std::uint32_t cost;  // expected cost, an index into the pool of numbers
    Outcomes outcomes;
};

// Chunks of 32-bit words that never move. What is allocated has a place, a number of at most 39 bits, of which the
// lower 32 are not all 0; the words of one place lie behind each other.
class WordChunks {
public:
    using Place = std::uint64_t;

    Place allocate(std::size_t words);
    std::uint32_t* operator[](Place place) { return chunks_[place >> chunk_bits] + (place & (chunk_words - 1)); }
    const std::uint32_t* operator[](Place place) const {
        return chunks_[place >> chunk_bits] + (place & (chunk_words - 1));
    }
    std::uint64_t bytes() const { return bytes_; }
    void clear() { *this = {}; }

private:
    static constexpr unsigned chunk_bits = 19;  // 2 MiB
    static constexpr std::size_t chunk_words = std::size_t{1} << chunk_bits;
    static constexpr Place most = Place{1} << 39U;

    std::vector<Column<std::uint32_t>> memory_;
    std::vector<std::uint32_t*> chunks_;  // one memory may be several of them
    Place next_ = 0;
    Place end_ = 0;
    std::uint64_t bytes_ = 0;  // that are used
};

struct TransitionKind {
    const std::uint32_t* probabilities;  // of the outcomes, indices into the pool of numbers
    std::uint32_t size;                  // the number of outcomes
    ActionId action;
    std::uint32_t cost;
};

// The kinds as what an Interner stands over.
class KindTable {
public:
    using Key = TransitionKind;

    explicit KindTable(WordChunks* chunks) : chunks_(chunks) {}

    const TransitionKind& operator[](std::uint32_t id) const { return kinds_[id]; }
    void append(Key kind);
    std::uint64_t bytes() const { return sizeof(TransitionKind) * kinds_.capacity(); }
    std::uint64_t hash(const Key& kind) const;
    bool equal(const Key& a, const Key& b) const;

private:
    WordChunks* chunks_;
    Column<TransitionKind> kinds_;
};

// The transitions of an expanded state: for (auto transition : block) …
class Block {
public:
    Block(const std::uint32_t* words, const KindTable& kinds) : words_(words), kinds_(&kinds) {}

    class Iterator {
    public:
        Iterator(const std::uint32_t* at, const KindTable* kinds) : at_(at), kinds_(kinds) {}
        Transition operator*() const {
            const auto& kind = (*kinds_)[*at_];
            return {kind.action, kind.cost, {kind.probabilities, {at_ + 1, kind.size}}};
        }
        Iterator& operator++() {
            at_ += 1 + std::size_t{(*kinds_)[*at_].size};
            return *this;
        }
        bool operator==(const Iterator& other) const { return at_ == other.at_; }
        const std::uint32_t* place() const { return at_; }

    private:
        const std::uint32_t* at_;
        const KindTable* kinds_;
    };

    std::uint32_t size() const {  // number of applicable actions
        std::uint32_t count = 0;
        for (auto it = begin(); it != end(); ++it) ++count;
        return count;
    }
    Iterator begin() const { return {words_ + 1, kinds_}; }
    Iterator end() const { return {words_ + 1 + words_[0], kinds_}; }
    // A transition by its place, which a caller may keep in 32 bits.
    Transition at(std::uint32_t place) const { return *Iterator(words_ + place, kinds_); }
    std::uint32_t place(Iterator iterator) const { return static_cast<std::uint32_t>(iterator.place() - words_); }

private:
    const std::uint32_t* words_;
    const KindTable* kinds_;
};

class TransitionStore {
public:
    using Place = WordChunks::Place;

    TransitionStore() = default;
    TransitionStore(const TransitionStore&) = delete;  // parts of it refer to each other
    TransitionStore& operator=(const TransitionStore&) = delete;

    // A block is begun, gets its transitions, and is kept.
    void begin() { block_.clear(); }
    void add(ActionId action, std::uint32_t cost, std::span<const Outcome> outcomes);
    Place keep();

    Block operator[](Place place) const { return {chunks_[place], kinds_.sequences()}; }
    std::uint64_t bytes() const { return chunks_.bytes() + kinds_.bytes(); }
    void clear() {
        chunks_.clear();
        kinds_ = Kinds(&chunks_);
    }

private:
    using Kinds = Interner<KindTable>;

    WordChunks chunks_;
    Kinds kinds_{&chunks_};
    Indices block_;          // that was begun
    Indices probabilities_;  // scratch
};

}  // namespace gpaplan
