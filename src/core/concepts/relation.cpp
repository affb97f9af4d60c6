#include "concepts/relation.hpp"

namespace gpaplan {

void Relation::assign(const Relation& other) {
    clear();
    other.for_each_source([&](std::uint32_t x) { std::copy_n(other[x], width_, row(x)); });
}

void Relation::assign_inverse(const Relation& other) {
    clear();
    other.for_each_source(
        [&](std::uint32_t x) { for_each_bit(other[x], width_, [&](std::uint32_t y) { add(y, x); }); });
}

// Warshall's algorithm, a row at a time. Only objects with successors can be on the way to others.
void Relation::assign_closure(const Relation& other, bool reflexive, std::uint32_t object_count) {
    assign(other);
    other.for_each_source([&](std::uint32_t middle) {
        const auto* from = (*this)[middle];
        for_each_source([&](std::uint32_t x) {
            if (!has(x, middle) || x == middle) return;
            auto* to = row(x);
            for (std::uint32_t w = 0; w < width_; ++w) to[w] |= from[w];
        });
    });
    if (!reflexive) return;
    for (std::uint32_t x = 0; x < object_count; ++x) add(x, x);
}

void Relation::assign_common(const Relation& first, const Relation& second) {
    clear();
    first.for_each_source([&](std::uint32_t x) {
        Word any = 0;
        for (std::uint32_t w = 0; w < width_; ++w) any |= first[x][w] & second[x][w];
        if (any == 0) return;
        auto* to = row(x);
        for (std::uint32_t w = 0; w < width_; ++w) to[w] = first[x][w] & second[x][w];
    });
}

void Relation::assign_difference(const Relation& first, const Relation& second) {
    clear();
    first.for_each_source([&](std::uint32_t x) {
        Word any = 0;
        for (std::uint32_t w = 0; w < width_; ++w) any |= first[x][w] & ~second[x][w];
        if (any == 0) return;
        auto* to = row(x);
        for (std::uint32_t w = 0; w < width_; ++w) to[w] = first[x][w] & ~second[x][w];
    });
}

}  // namespace gpaplan
