/* Preloaded under the tool by fault_test.py: counts the calls that change files, and at the k-th of them the process is
   killed, or the disk is full from then on. A write that fails or dies is torn: half of it is done.

   FAULT_AT=k      from 1; 0 only counts
   FAULT_KIND      kill or full
   FAULT_UNDER=d   only files in this folder count, not those of MPI
   FAULT_NAMES=1   a file system without nameless files (O_TMPFILE)
   FAULT_COUNT=f   the number of calls goes there at the end */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;
static long fault_at;
static int full;
static char process[32];

static void* next(const char* name) {
    void* found = dlsym(RTLD_NEXT, name);
    if (!found) _exit(125);
    return found;
}

__attribute__((constructor)) static void begin(void) {
    const char* at = getenv("FAULT_AT");
    const char* kind = getenv("FAULT_KIND");
    fault_at = at ? atol(at) : 0;
    full = kind && strcmp(kind, "full") == 0;
    if (!getenv("FAULT_PROCESS")) {
        snprintf(process, sizeof process, "%d", getpid());
        setenv("FAULT_PROCESS", process, 1);
    }
    snprintf(process, sizeof process, "%s", getenv("FAULT_PROCESS")); /* also when it has replaced itself */
}

/* Not what it starts. */
static int is_first(void) {
    char now[32];
    snprintf(now, sizeof now, "%d", getpid());
    return strcmp(now, process) == 0;
}

__attribute__((destructor)) static void end(void) {
    const char* file = getenv("FAULT_COUNT");
    if (!file || !is_first()) return;
    char text[32];
    const int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&calls));
    const int out = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    syscall(SYS_write, out, text, (size_t)length);
}

static int under(const char* path) {
    const char* folder = getenv("FAULT_UNDER");
    return folder && is_first() && strncmp(path, folder, strlen(folder)) == 0;
}

/* A file without a name shows as FOLDER/#123 (deleted). */
static int counted(int descriptor) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return under(path);
}

enum fault { none, first, later };

/* Whether this call meets the fault, for the first time or again. */
static enum fault meet(void) {
    const long call = atomic_fetch_add(&calls, 1) + 1;
    if (fault_at == 0 || call < fault_at) return none;
    return call == fault_at ? first : later;
}

static void die(void) {
    syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    for (;;) pause();
}

static int no_space(void) {
    errno = ENOSPC;
    return -1;
}

/* For calls that write `size` bytes: half of them, then death; or half of them and no more. */
#define TORN(name, descriptor, size, half, whole)              \
    if (!counted(descriptor)) return whole;                    \
    const enum fault met = meet();                             \
    if (met == none) return whole;                             \
    if (full && (met == later || (size) < 2)) return no_space(); \
    const ssize_t done = (size) < 2 ? 0 : half;                \
    if (!full) die();                                          \
    return done;

ssize_t write(int descriptor, const void* data, size_t size) {
    static ssize_t (*real)(int, const void*, size_t);
    if (!real) real = (ssize_t(*)(int, const void*, size_t))next("write");
    TORN(write, descriptor, size, real(descriptor, data, size / 2), real(descriptor, data, size))
}

ssize_t pwrite(int descriptor, const void* data, size_t size, off_t at) {
    static ssize_t (*real)(int, const void*, size_t, off_t);
    if (!real) real = (ssize_t(*)(int, const void*, size_t, off_t))next("pwrite");
    TORN(pwrite, descriptor, size, real(descriptor, data, size / 2, at), real(descriptor, data, size, at))
}

ssize_t pwrite64(int descriptor, const void* data, size_t size, off64_t at) {
    static ssize_t (*real)(int, const void*, size_t, off64_t);
    if (!real) real = (ssize_t(*)(int, const void*, size_t, off64_t))next("pwrite64");
    TORN(pwrite64, descriptor, size, real(descriptor, data, size / 2, at), real(descriptor, data, size, at))
}

ssize_t writev(int descriptor, const struct iovec* parts, int count) {
    static ssize_t (*real)(int, const struct iovec*, int);
    if (!real) real = (ssize_t(*)(int, const struct iovec*, int))next("writev");
    TORN(writev, descriptor, count, real(descriptor, parts, count / 2), real(descriptor, parts, count))
}

/* For calls that are done or not. */
#define WHOLE(result, name, types, names, of_ours)             \
    result name types {                                        \
        static result(*real) types;                            \
        if (!real) real = (result(*) types)next(#name);        \
        if (!(of_ours) || meet() == none) return real names;   \
        if (!full) die();                                      \
        return no_space();                                     \
    }

WHOLE(int, fsync, (int descriptor), (descriptor), counted(descriptor))
WHOLE(int, fdatasync, (int descriptor), (descriptor), counted(descriptor))
WHOLE(int, ftruncate, (int descriptor, off_t size), (descriptor, size), counted(descriptor))
WHOLE(int, ftruncate64, (int descriptor, off64_t size), (descriptor, size), counted(descriptor))
WHOLE(int, rename, (const char* from, const char* to), (from, to), under(to))
WHOLE(int, linkat, (int a, const char* from, int b, const char* to, int flags), (a, from, b, to, flags), under(to))

int open(const char* path, int flags, ...) {
    static int (*real)(const char*, int, ...);
    if (!real) real = (int (*)(const char*, int, ...))next("open");
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if ((flags & O_TMPFILE) == O_TMPFILE && getenv("FAULT_NAMES")) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return real(path, flags, mode);
}
