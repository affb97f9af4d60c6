// Large arrays that are read at random: columns indexed by state, hash tables, chunks of transitions.
//
// A search jumps from state to state all over the memory it has filled, and with pages of 4 KiB most jumps miss the
// processor's page cache. Arrays of 2 MiB and more are therefore aligned to, and advised to use, huge pages. Where the
// system has none, nothing changes.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace gpaplan {

template <typename T>
struct HugePageAllocator {
    using value_type = T;
    static constexpr std::size_t page = std::size_t{2} << 20U;

    HugePageAllocator() = default;
    template <typename U>
    HugePageAllocator(const HugePageAllocator<U>&) {}  // NOLINT: converting, as the standard asks for

    T* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        if (bytes < page) return static_cast<T*>(::operator new(bytes));
        const std::size_t rounded = (bytes + page - 1) / page * page;
        void* memory = std::aligned_alloc(page, rounded);
        if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
        madvise(memory, rounded, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t count) {
        if (count * sizeof(T) < page)
            ::operator delete(memory);
        else
            std::free(memory);
    }
    template <typename U>
    bool operator==(const HugePageAllocator<U>&) const {
        return true;
    }
};

template <typename T>
using Column = std::vector<T, HugePageAllocator<T>>;

}  // namespace gpaplan
