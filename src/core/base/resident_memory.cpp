// Every system says it in another way. The one file of the core, with column.hpp, that knows which system it is on.
#include "base/stop.hpp"

#if defined(__linux__)
#include <unistd.h>

#include <cstdio>
#elif defined(__APPLE__)
#include <mach/mach.h>
#elif defined(_WIN32)
// clang-format off: the second needs the first
#include <windows.h>
#include <psapi.h>
// clang-format on
#endif

namespace gpaplan {

#if defined(__linux__)
std::uint64_t resident_memory() {
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr) return 0;
    unsigned long long size = 0;
    unsigned long long resident = 0;
    const int read = std::fscanf(file, "%llu %llu", &size, &resident);
    std::fclose(file);
    return read == 2 ? resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}
#elif defined(__APPLE__)
std::uint64_t resident_memory() {
    mach_task_basic_info info{};
    mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
    auto* place = reinterpret_cast<task_info_t>(&info);
    if (task_info(mach_task_self(), MACH_TASK_BASIC_INFO, place, &count) != KERN_SUCCESS) return 0;
    return info.resident_size;
}
#elif defined(_WIN32)
std::uint64_t resident_memory() {
    PROCESS_MEMORY_COUNTERS counters{};
    // The name that is part of kernel32, so that no further library is linked.
    if (K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof(counters)) == 0) return 0;
    return counters.WorkingSetSize;
}
#else
std::uint64_t resident_memory() { return 0; }
#endif

}  // namespace gpaplan
