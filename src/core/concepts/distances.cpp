#include "concepts/distances.hpp"

namespace gpaplan {

Distances::Distances(std::uint32_t object_count)
    : object_count_(object_count),
      found_(object_count),
      targets_((object_count + 63) / 64),
      seen_((object_count + 63) / 64),
      frontier_(seen_.size()),
      next_(seen_.size()) {}

const Distance* Distances::find(const Relation& predecessors, const Word* targets) {
    search(predecessors, targets, found_.data());
    return found_.data();
}

const Distance* Distances::find_kept(const Relation& predecessors, const Word* targets) {
    if (kept_.size() + object_count_ > most_kept && targets_.find(targets) == no_id) {
        targets_.clear();
        kept_.clear();
    }
    const auto before = targets_.size();
    const auto id = targets_.intern(targets);
    const auto place = std::size_t{id} * object_count_;
    if (id == before) {
        kept_.resize(place + object_count_);
        search(predecessors, targets, kept_.data() + place);
    }
    return kept_.data() + place;
}

// Breadth first, from the targets backwards, a set of objects at a time.
void Distances::search(const Relation& predecessors, const Word* targets, Distance* result) {
    const auto width = static_cast<std::uint32_t>(seen_.size());
    std::fill_n(result, object_count_, unreachable);
    std::copy_n(targets, width, seen_.data());
    std::copy_n(targets, width, frontier_.data());
    for (Distance distance = 0;; ++distance) {
        std::ranges::fill(next_, Word{0});
        for_each_bit(frontier_.data(), width, [&](std::uint32_t x) {
            result[x] = distance;
            const auto* before = predecessors[x];
            for (std::uint32_t w = 0; w < width; ++w) next_[w] |= before[w];
        });
        Word any = 0;
        for (std::uint32_t w = 0; w < width; ++w) {
            any |= frontier_[w] = next_[w] & ~seen_[w];
            seen_[w] |= frontier_[w];
        }
        if (any == 0) return;
    }
}

}  // namespace gpaplan
