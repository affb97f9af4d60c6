// Large arrays that are read at random: columns indexed by state, hash tables, chunks of transitions.
//
// Two things set a Column apart from a vector. A search jumps from state to state all over the memory it has filled,
// and with pages of 4 KiB most jumps miss the processor's page cache; arrays of 2 MiB and more are therefore advised to
// use huge pages. And an array grows by realloc, which moves the pages of a large one where the system can, so that
// there is no old and new one at the same time: a limit of memory is kept while the arrays double. What is reserved and
// not used takes no memory. Elements are plain data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace gpaplan {

template <typename T>
class Column {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Column() = default;
    Column(std::size_t count, const T& value) { resize(count, value); }
    Column(const Column& other) {
        reserve(other.size_);
        if (other.size_ > 0) std::memcpy(data_, other.data_, other.size_ * sizeof(T));
        size_ = other.size_;
    }
    Column(Column&& other) noexcept { swap(other); }
    Column& operator=(Column other) noexcept {
        swap(other);
        return *this;
    }
    ~Column() { std::free(data_); }

    std::size_t size() const { return size_; }
    std::size_t capacity() const { return bytes_ / sizeof(T); }
    T* data() { return data_; }
    const T* data() const { return data_; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }
    bool empty() const { return size_ == 0; }
    T& back() { return data_[size_ - 1]; }
    void pop_back() { --size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }

    void reserve(std::size_t count) {
        if (count > capacity()) grow(count);
    }
    void push_back(const T& value) {
        const T copy = value;  // may lie in the array that moves
        if (size_ == capacity()) grow(std::max<std::size_t>(16, 2 * size_));
        data_[size_++] = copy;
    }
    // The elements must not lie in this array.
    void append(const T* first, std::size_t count) {
        if (size_ + count > capacity()) grow(std::max(size_ + count, 2 * size_));
        std::memcpy(data_ + size_, first, count * sizeof(T));
        size_ += count;
    }
    void resize(std::size_t count, const T& value) {
        if (count > capacity()) grow(std::max(count, 2 * size_));
        if (count > size_) std::fill(data_ + size_, data_ + count, value);
        size_ = count;
    }
    void assign(std::size_t count, const T& value) {
        size_ = 0;
        resize(count, value);
    }

private:
    static constexpr std::size_t huge_page = std::size_t{2} << 20U;

    void swap(Column& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(bytes_, other.bytes_);
    }

    void grow(std::size_t count) {
        std::size_t bytes = count * sizeof(T);
        if (bytes >= huge_page) bytes = (bytes + huge_page - 1) / huge_page * huge_page;
        auto* memory = static_cast<T*>(std::realloc(data_, bytes));
        if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
        constexpr std::uintptr_t page = 4096;
        const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
        if (bytes >= huge_page) madvise(reinterpret_cast<void*>(begin), bytes - page, MADV_HUGEPAGE);
#endif
        data_ = memory;
        bytes_ = bytes;
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t bytes_ = 0;  // reserved
};

}  // namespace gpaplan
