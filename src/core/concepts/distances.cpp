#include "concepts/distances.hpp"

namespace gpaplan {

Distances::Distances(const Universe& universe)
    : universe_(universe),
      size_(64 * universe.width()),
      found_(size_),
      targets_(static_cast<std::uint32_t>(universe.width())),
      seen_(universe.width()),
      frontier_(universe.width()),
      next_(universe.width()) {}

const Distance* Distances::find(const Meaning& predecessors, const Word* targets) {
    search(predecessors, targets, found_.data());
    return found_.data();
}

const Distance* Distances::find_kept(const Meaning& predecessors, const Word* targets) {
    if (kept_.size() + size_ > most_kept && targets_.find(targets) == no_id) {
        targets_ = WordInterner(static_cast<std::uint32_t>(seen_.size()));
        kept_.clear();
    }
    const auto before = targets_.size();
    const auto id = targets_.intern(targets);
    const auto place = std::size_t{id} * size_;
    if (id == before) {
        kept_.resize(place + size_);
        search(predecessors, targets, kept_.data() + place);
    }
    return kept_.data() + place;
}

// Breadth first, from the targets backwards, a set of objects at a time.
void Distances::search(const Meaning& predecessors, const Word* targets, Distance* result) {
    const auto width = universe_.width();
    std::fill_n(result, size_, unreachable);
    std::copy_n(targets, width, seen_.data());
    std::copy_n(targets, width, frontier_.data());
    for (Distance distance = 0;; ++distance) {
        std::ranges::fill(next_, Word{0});
        const Meaning reached{frontier_.data(), predecessors.rows};
        reached.for_each_row(universe_, [&](const ObjectBlock& block, std::uint32_t x, const Word* before) {
            result[block.object(x)] = distance;
            for (std::uint32_t w = 0; w < block.width; ++w) next_[block.objects + w] |= before[w];
        });
        Word any = 0;
        for (std::size_t w = 0; w < width; ++w) {
            any |= frontier_[w] = next_[w] & ~seen_[w];
            seen_[w] |= frontier_[w];
        }
        if (any == 0) return;
    }
}

}  // namespace gpaplan
