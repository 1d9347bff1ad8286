/* A file layer that fails on purpose. It is preloaded, and stands between a process and the C library.

   `arm` says which of the coming operations on files below a folder fails: the n-th that writes (write, truncate, create,
   rename, make a folder), or the n-th that syncs. A disk that is full stays full: its first failing write still takes half of
   the bytes, and every later one fails too. An error of the disk happens once. Counters are shared with the processes that are
   forked from this one, so that whoever forks can read them afterwards. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct plan {
    long at, done;
    int code, on_sync, fired;
    char below[PATH_MAX];
};
static struct plan *plan;

__attribute__((constructor)) static void begin(void) {
    plan = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

void arm(long at, int code, int on_sync, const char *below) {
    *plan = (struct plan){.at = at, .code = code, .on_sync = on_sync};
    strncpy(plan->below, below, PATH_MAX - 1);
}
long operations(void) { return plan->done; }
int fired(void) { return plan->fired; }

static int is_below(const char *path) {
    return plan->below[0] && path && !strncmp(path, plan->below, strlen(plan->below));
}

static int is_ours(int file) {
    char link[64], path[PATH_MAX];
    if (!plan->below[0]) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_below(path);
}

/* Whether this operation fails; it is one of ours. */
static int fails(int syncs) {
    if (syncs != plan->on_sync) return 0;
    if (plan->fired) {
        if (plan->code != ENOSPC) return 0;
    } else if (++plan->done != plan->at) {
        return 0;
    }
    errno = plan->code;
    return ++plan->fired;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
static size_t taken(size_t size) { return plan->code == ENOSPC && plan->fired == 1 ? size / 2 : 0; }

ssize_t write(int file, const void *data, size_t size) {
    if (is_ours(file) && fails(0)) return taken(size) ? REAL(write)(file, data, taken(size)) : -1;
    return REAL(write)(file, data, size);
}
ssize_t pwrite64(int file, const void *data, size_t size, off64_t at) {
    if (is_ours(file) && fails(0)) return taken(size) ? REAL(pwrite64)(file, data, taken(size), at) : -1;
    return REAL(pwrite64)(file, data, size, at);
}
ssize_t pwrite(int file, const void *data, size_t size, off_t at) { return pwrite64(file, data, size, at); }

int ftruncate64(int file, off64_t size) { return is_ours(file) && fails(0) ? -1 : REAL(ftruncate64)(file, size); }
int ftruncate(int file, off_t size) { return ftruncate64(file, size); }
int truncate64(const char *path, off64_t size) { return is_below(path) && fails(0) ? -1 : REAL(truncate64)(path, size); }
int truncate(const char *path, off_t size) { return truncate64(path, size); }
int mkdir(const char *path, mode_t mode) { return is_below(path) && fails(0) ? -1 : REAL(mkdir)(path, mode); }
int rename(const char *old, const char *new) { return is_below(new) && fails(0) ? -1 : REAL(rename)(old, new); }

static int creates(const char *path, int flags) { return (flags & O_CREAT) && is_below(path) && access(path, F_OK); }

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return creates(path, flags) && fails(0) ? -1 : REAL(open64)(path, flags, mode);
}
int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open64(path, flags, mode);
}

int fsync(int file) { return is_ours(file) && fails(1) ? -1 : REAL(fsync)(file); }
int fdatasync(int file) { return is_ours(file) && fails(1) ? -1 : REAL(fdatasync)(file); }
