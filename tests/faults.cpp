// Loaded before a program (LD_PRELOAD): makes one of its calls fail, for tests/faults.py.
//
// FAULT_CALL says which calls are counted: open, read, write, rename, fsync, remove, new (of C++) or allocate (of at
// least FAULT_SIZE bytes). From the one with number FAULT_FIRST to the one with number FAULT_LAST they fail with the
// error FAULT_ERROR. The count begins when a file below the folder FAULT_FOLDER is opened for the first time, so that
// the program's own start does not count; and files elsewhere never do. The file FAULT_DONE is made when a call fails.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

extern "C" void* __libc_malloc(size_t);
extern "C" void* __libc_calloc(size_t, size_t);
extern "C" void* __libc_realloc(void*, size_t);

namespace {

char folder[PATH_MAX], done[PATH_MAX], wanted[32];
long first, last, size;
int error;
std::atomic<long> count;
std::atomic<bool> begun;

__attribute__((constructor)) void begin() {
    unsetenv("LD_PRELOAD");  // the processes that it starts are none of ours
    const char* name = getenv("FAULT_FOLDER");
    if (!name) return;
    snprintf(folder, sizeof folder, "%s", name);
    snprintf(done, sizeof done, "%s", getenv("FAULT_DONE"));
    snprintf(wanted, sizeof wanted, "%s", getenv("FAULT_CALL"));
    first = atol(getenv("FAULT_FIRST"));
    last = atol(getenv("FAULT_LAST"));
    size = atol(getenv("FAULT_SIZE"));
    error = atoi(getenv("FAULT_ERROR"));
}

bool fails(const char* call) {
    if (!begun || strcmp(call, wanted) != 0) return false;
    const long number = ++count;
    if (number < first || number > last) return false;
    const long descriptor = syscall(SYS_openat, AT_FDCWD, done, O_CREAT | O_WRONLY, 0600);
    if (descriptor >= 0) syscall(SYS_close, descriptor);
    errno = error;
    return true;
}

bool is_inside(const char* path) {
    const size_t length = strlen(folder);
    return length && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

bool is_inside(int at, const char* path) {
    if (path[0] == '/') return is_inside(path);
    char base[PATH_MAX], link[64];
    snprintf(link, sizeof link, at == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", at);
    const ssize_t length = readlink(link, base, sizeof base - 1);
    if (length < 0) return false;
    base[length] = '\0';
    return is_inside(base);
}

bool is_inside(int descriptor) {
    const int before = errno;
    const bool found = is_inside(descriptor, "");
    errno = before;
    return found;
}

bool open_fails(int at, const char* path) {
    if (!is_inside(at, path)) return false;
    begun = true;
    return fails("open");
}

template <typename Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void* allocated(size_t bytes) {
    if (fails("new")) throw std::bad_alloc();
    void* found = __libc_malloc(bytes ? bytes : 1);
    if (!found) throw std::bad_alloc();
    return found;
}

bool allocation_fails(size_t bytes) { return bytes >= static_cast<size_t>(size) && fails("allocate"); }

}  // namespace

// NAME(int, …) and NAME(…) that fail where a file inside is meant, and else do what they do.
#define WITH_MODE(last_named)            \
    mode_t mode = 0;                     \
    if (flags & (O_CREAT | O_TMPFILE)) { \
        va_list rest;                    \
        va_start(rest, last_named);      \
        mode = va_arg(rest, mode_t);     \
        va_end(rest);                    \
    }
#define OPEN(name)                                                                                              \
    extern "C" int name(const char* path, int flags, ...) {                                                     \
        WITH_MODE(flags)                                                                                        \
        return open_fails(AT_FDCWD, path) ? -1 : real<int(const char*, int, mode_t)>(#name)(path, flags, mode); \
    }
#define OPEN_AT(name)                                                                                              \
    extern "C" int name(int at, const char* path, int flags, ...) {                                                \
        WITH_MODE(flags)                                                                                           \
        return open_fails(at, path) ? -1 : real<int(int, const char*, int, mode_t)>(#name)(at, path, flags, mode); \
    }
#define TRANSFER(name, call, pointer, parameters, ...)                               \
    extern "C" ssize_t name(int descriptor, pointer data, size_t bytes parameters) { \
        if (is_inside(descriptor) && fails(call)) return -1;                         \
        return real<decltype(name)>(#name)(descriptor, data, bytes __VA_ARGS__);     \
    }
#define COMMA ,
OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)
TRANSFER(read, "read", void*, )
TRANSFER(pread, "read", void*, COMMA off_t offset, COMMA offset)
TRANSFER(pread64, "read", void*, COMMA off64_t offset, COMMA offset)
TRANSFER(write, "write", const void*, )
TRANSFER(pwrite, "write", const void*, COMMA off_t offset, COMMA offset)
TRANSFER(pwrite64, "write", const void*, COMMA off64_t offset, COMMA offset)

extern "C" int fsync(int descriptor) {
    return is_inside(descriptor) && fails("fsync") ? -1 : real<int(int)>("fsync")(descriptor);
}
extern "C" int fdatasync(int descriptor) {
    return is_inside(descriptor) && fails("fsync") ? -1 : real<int(int)>("fdatasync")(descriptor);
}
extern "C" int ftruncate(int descriptor, off_t bytes) noexcept {
    return is_inside(descriptor) && fails("write") ? -1 : real<int(int, off_t)>("ftruncate")(descriptor, bytes);
}
extern "C" int ftruncate64(int descriptor, off64_t bytes) noexcept {
    return is_inside(descriptor) && fails("write") ? -1 : real<int(int, off64_t)>("ftruncate64")(descriptor, bytes);
}
extern "C" int rename(const char* from, const char* to) noexcept {
    return is_inside(AT_FDCWD, to) && fails("rename") ? -1 : real<int(const char*, const char*)>("rename")(from, to);
}
extern "C" int renameat(int at, const char* from, int other, const char* to) noexcept {
    if (is_inside(other, to) && fails("rename")) return -1;
    return real<int(int, const char*, int, const char*)>("renameat")(at, from, other, to);
}
extern "C" int unlink(const char* path) noexcept {
    return is_inside(AT_FDCWD, path) && access(path, F_OK) == 0 && fails("remove")
               ? -1
               : real<int(const char*)>("unlink")(path);
}
extern "C" int mkdir(const char* path, mode_t mode) noexcept {
    return is_inside(AT_FDCWD, path) && fails("open") ? -1 : real<int(const char*, mode_t)>("mkdir")(path, mode);
}

extern "C" void* malloc(size_t bytes) { return allocation_fails(bytes) ? nullptr : __libc_malloc(bytes); }
extern "C" void* calloc(size_t number, size_t bytes) {
    return allocation_fails(number * bytes) ? nullptr : __libc_calloc(number, bytes);
}
extern "C" void* realloc(void* old, size_t bytes) {
    return allocation_fails(bytes) ? nullptr : __libc_realloc(old, bytes);
}
#define MMAP(name, offset_type)                                                                                    \
    extern "C" void* name(void* at, size_t bytes, int protection, int flags, int descriptor, offset_type offset) { \
        if ((flags & MAP_ANONYMOUS) && allocation_fails(bytes)) return MAP_FAILED;                                 \
        return reinterpret_cast<void*>(syscall(SYS_mmap, at, bytes, protection, flags, descriptor, offset));       \
    }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

void* operator new(size_t bytes) { return allocated(bytes); }
void* operator new[](size_t bytes) { return allocated(bytes); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
    return fails("new") ? nullptr : __libc_malloc(bytes ? bytes : 1);
}
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept {
    return fails("new") ? nullptr : __libc_malloc(bytes ? bytes : 1);
}
void* operator new(size_t bytes, std::align_val_t alignment) {
    if (fails("new")) throw std::bad_alloc();
    void* found = aligned_alloc(static_cast<size_t>(alignment), bytes);
    if (!found) throw std::bad_alloc();
    return found;
}
void operator delete(void* found) noexcept { free(found); }
void operator delete[](void* found) noexcept { free(found); }
void operator delete(void* found, size_t) noexcept { free(found); }
void operator delete[](void* found, size_t) noexcept { free(found); }
void operator delete(void* found, std::align_val_t) noexcept { free(found); }
void operator delete(void* found, size_t, std::align_val_t) noexcept { free(found); }
