// What expressions mean, in one state or in many states at once: sets of objects, pairs of objects, and distances.
//
// States stand side by side in a universe, each a block of words: bit x of a block is object x of its state. A concept
// is a bit for each object. A relation has a row of bits for each object, its successors, and as a concept those
// objects that have any, so that walking through it costs as much as there are of these.
#pragma once

#include "concepts/expressions.hpp"

namespace gpaplan {

using Distance = std::uint32_t;
constexpr Distance unreachable = std::numeric_limits<Distance>::max();

struct ObjectBlock {
    std::size_t objects, rows;   // where its objects and its rows begin, in words
    std::uint32_t count, width;  // of objects, and of a row in words

    std::size_t row(std::uint32_t x) const { return rows + std::size_t{x} * width; }
    std::size_t object(std::uint32_t x) const { return 64 * objects + x; }  // its place among all
};

class Universe {
public:
    Universe() = default;
    explicit Universe(std::uint32_t object_count) { add(object_count); }
    void add(std::uint32_t object_count);

    const std::vector<ObjectBlock>& blocks() const { return blocks_; }
    std::size_t width() const { return all_.size(); }  // of a set, in words
    std::size_t rows_width() const { return rows_width_; }
    const Word* all() const { return all_.data(); }

private:
    std::vector<ObjectBlock> blocks_;
    std::size_t rows_width_ = 0;
    std::vector<Word> all_;
};

// A view.
struct Meaning {
    const Word* objects = nullptr;  // of a concept; of a relation those that have successors
    const Word* rows = nullptr;
    const Distance* distances = nullptr;  // by place

    template <typename Visit>
    void for_each_row(const Universe& universe, Visit visit) const {
        for (const auto block : universe.blocks())  // a copy, which no word that is written can be part of
            for_each_bit(objects + block.objects, block.width,
                         [&](std::uint32_t x) { visit(block, x, rows + block.row(x)); });
    }
};

// The words of a concept or a relation.
struct Storage {
    std::vector<Word> objects, rows;

    Storage(const Universe& universe, Sort sort)
        : objects(sort > Sort::relation ? 0 : universe.width(), 0),
          rows(sort == Sort::relation ? universe.rows_width() : 0, 0) {}

    Meaning view() const { return {objects.data(), rows.data(), nullptr}; }
    Word* row(const ObjectBlock& block, std::uint32_t x) {  // which is going to have successors
        set_bit(objects.data() + block.objects, x);
        return rows.data() + block.row(x);
    }
    void clear(const Universe& universe);
    void assign_rows(const Universe& universe, const Meaning& relation);
};

// Makes a concept or a relation of others; one operand may be all there is. None of them may be in the result.
void make(NodeKind kind, const Universe& universe, const Meaning& first, const Meaning& second, Storage& result);

// Whether a literal holds in the state of a block, for the objects that are its arguments.
inline bool holds(NodeKind kind, const ObjectBlock& block, const Meaning& of, std::uint32_t x, std::uint32_t y) {
    switch (kind) {
        case NodeKind::empty:
            return std::all_of(of.objects + block.objects, of.objects + block.objects + block.width,
                               [](Word word) { return word == 0; });
        case NodeKind::is:
            return test_bit(of.objects + block.objects, x);
        case NodeKind::related:
            return test_bit(of.rows + block.row(x), y);
        case NodeKind::nearer:
            return of.distances[block.object(x)] < of.distances[block.object(y)];
        default:
            throw InternalError("meaning: not a literal about objects");
    }
}

}  // namespace gpaplan
