#include "concepts/meaning.hpp"

namespace gpaplan {

void Universe::add(std::uint32_t object_count) {
    const ObjectBlock block{width(), rows_width_, object_count, (object_count + 63) / 64};
    blocks_.push_back(block);
    rows_width_ += std::size_t{object_count} * block.width;
    all_.resize(all_.size() + block.width, 0);
    for (std::uint32_t x = 0; x < object_count; ++x) set_bit(all_.data() + block.objects, x);
}

void Storage::clear(const Universe& universe) {
    if (!rows.empty())
        view().for_each_row(universe, [&](const ObjectBlock& block, std::uint32_t x, const Word*) {
            std::fill_n(rows.data() + block.row(x), block.width, Word{0});
        });
    std::ranges::fill(objects, Word{0});
}

void Storage::assign_rows(const Universe& universe, const Meaning& relation) {
    clear(universe);
    relation.for_each_row(universe, [&](const ObjectBlock& block, std::uint32_t x, const Word* from) {
        std::copy_n(from, block.width, row(block, x));
    });
}

namespace {

template <typename Combine>
void combine_sets(const Universe& universe, const Word* first, const Word* second, Storage& result, Combine combine) {
    for (std::size_t w = 0; w < universe.width(); ++w) result.objects[w] = combine(first[w], second[w]);
}

template <typename Combine>
void combine_rows(const Universe& universe, const Meaning& first, const Meaning& second, Storage& result,
                  Combine combine) {
    first.for_each_row(universe, [&](const ObjectBlock& block, std::uint32_t x, const Word* mine) {
        const auto* theirs = second.rows + block.row(x);
        Word any = 0;
        for (std::uint32_t w = 0; w < block.width; ++w) any |= combine(mine[w], theirs[w]);
        if (any == 0) return;
        auto* to = result.row(block, x);
        for (std::uint32_t w = 0; w < block.width; ++w) to[w] = combine(mine[w], theirs[w]);
    });
}

// The pairs of a relation are added to those that are there.
void add_rows(const Universe& universe, const Meaning& relation, Storage& result) {
    relation.for_each_row(universe, [&](const ObjectBlock& block, std::uint32_t x, const Word* from) {
        auto* to = result.row(block, x);
        for (std::uint32_t w = 0; w < block.width; ++w) to[w] |= from[w];
    });
}

// Of each object, the objects that two relations lead to one after the other.
void compose(const Universe& universe, const Meaning& first, const Meaning& second, Storage& result) {
    first.for_each_row(universe, [&](const ObjectBlock& block, std::uint32_t x, const Word* row) {
        for_each_bit(row, block.width, [&](std::uint32_t middle) {
            if (!test_bit(second.objects + block.objects, middle)) return;
            auto* to = result.row(block, x);
            const auto* from = second.rows + block.row(middle);
            for (std::uint32_t w = 0; w < block.width; ++w) to[w] |= from[w];
        });
    });
}

// The pairs of a relation that end in an object of a set.
void restrict_rows(const Universe& universe, const Meaning& relation, const Word* set, Storage& result) {
    relation.for_each_row(universe, [&](const ObjectBlock& block, std::uint32_t x, const Word* row) {
        const auto* inside = set + block.objects;
        Word any = 0;
        for (std::uint32_t w = 0; w < block.width; ++w) any |= row[w] & inside[w];
        if (any == 0) return;
        auto* to = result.row(block, x);
        for (std::uint32_t w = 0; w < block.width; ++w) to[w] = row[w] & inside[w];
    });
}

// Those with a successor that is an object of a set, flipped or not.
void find_related(const Universe& universe, const Meaning& relation, const Word* set, Word flipped, Storage& result) {
    relation.for_each_row(universe, [&](const ObjectBlock& block, std::uint32_t x, const Word* row) {
        const auto* inside = set + block.objects;
        Word any = 0;
        for (std::uint32_t w = 0; w < block.width; ++w) any |= row[w] & (inside[w] ^ flipped);
        if (any != 0) set_bit(result.objects.data() + block.objects, x);
    });
}

// Warshall's algorithm, a row at a time. Only objects with successors can be on the way to others.
void close(const Universe& universe, const Meaning& relation, Storage& result) {
    result.assign_rows(universe, relation);
    relation.for_each_row(universe, [&](const ObjectBlock& block, std::uint32_t middle, const Word*) {
        const auto* from = result.rows.data() + block.row(middle);
        for_each_bit(relation.objects + block.objects, block.width, [&](std::uint32_t x) {
            auto* to = result.rows.data() + block.row(x);
            if (x == middle || !test_bit(to, middle)) return;
            for (std::uint32_t w = 0; w < block.width; ++w) to[w] |= from[w];
        });
    });
}

constexpr auto both = [](Word a, Word b) { return a & b; };
constexpr auto only_first = [](Word a, Word b) { return a & ~b; };

}  // namespace

void make(NodeKind kind, const Universe& universe, const Meaning& first, const Meaning& second, Storage& result) {
    if (kind == NodeKind::complement) return combine_sets(universe, universe.all(), first.objects, result, only_first);
    if (kind == NodeKind::intersection) return combine_sets(universe, first.objects, second.objects, result, both);
    result.clear(universe);
    switch (kind) {
        case NodeKind::some:
            return find_related(universe, first, second.objects, 0, result);
        case NodeKind::every:
            find_related(universe, first, second.objects, ~Word{0}, result);
            return combine_sets(universe, universe.all(), result.objects.data(), result, only_first);
        case NodeKind::same:
            return first.for_each_row(universe, [&](const ObjectBlock& block, std::uint32_t x, const Word* row) {
                if (std::equal(row, row + block.width, second.rows + block.row(x)))
                    set_bit(result.objects.data() + block.objects, x);
            });
        case NodeKind::inverse:
            return first.for_each_row(universe, [&](const ObjectBlock& block, std::uint32_t x, const Word* row) {
                for_each_bit(row, block.width, [&](std::uint32_t y) { set_bit(result.row(block, y), x); });
            });
        case NodeKind::plus:
            return close(universe, first, result);
        case NodeKind::star:
            close(universe, first, result);
            for (const auto& block : universe.blocks())
                for (std::uint32_t x = 0; x < block.count; ++x) set_bit(result.row(block, x), x);
            return;
        case NodeKind::common:
            return combine_rows(universe, first, second, result, both);
        case NodeKind::minus:
            return combine_rows(universe, first, second, result, only_first);
        case NodeKind::either:
            add_rows(universe, first, result);
            return add_rows(universe, second, result);
        case NodeKind::then:
            return compose(universe, first, second, result);
        case NodeKind::into:
            return restrict_rows(universe, first, second.objects, result);
        default:
            throw InternalError("meaning: not made of others");
    }
}

}  // namespace gpaplan
