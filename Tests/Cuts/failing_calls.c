// A preloaded library between a program and the system calls that change files of one folder. It counts them, makes one or all of them
// fail from the n-th on, and records them with their bytes, from which `disk.py` computes what a power cut leaves.
//
// CUTS_FOLDER is the folder, CUTS_CONTROL a file of `struct control` that the test shares, CUTS_RECORD the record; a record that is not
// named is not written.
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum call { OPEN = 1, WRITE, SYNC, TRUNCATE, RENAME, UNLINK, LINK, CLOSE, SAID, READ, FAILED_SYNC };
enum fault { NONE, FULL, BROKEN, SHORT, KILLED, TORN, STALLED, UNREADABLE, FORGOTTEN };

struct control {
    int64_t count;      // calls so far to which the fault applies
    int64_t at, until;  // the first and the last call that fails
    int32_t fault;
    int32_t hits;
    int32_t released;   // a stalled call goes on
    char call[64];      // the first call that failed, for the report
};

struct entry {
    int32_t call, path_length, data_length, status;
    int64_t offset;
};

static struct control *control;
static char folder[PATH_MAX];
static int record = -1;
static char paths[4096][256];  // relative to the folder, by descriptor; empty for other files
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("CUTS_FOLDER"), *shared = getenv("CUTS_CONTROL"), *written = getenv("CUTS_RECORD");
    if (!name || !shared) return;
    strncpy(folder, name, sizeof folder - 1);
    int descriptor = syscall(SYS_openat, AT_FDCWD, shared, O_RDWR | O_CLOEXEC, 0);
    if (descriptor < 0) abort();
    control = mmap(0, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    syscall(SYS_close, descriptor);
    if (written && *written) {
        descriptor = syscall(SYS_openat, AT_FDCWD, written, O_WRONLY | O_CREAT | O_APPEND, 0600);
        record = fcntl(descriptor, F_DUPFD_CLOEXEC, 4000);
        syscall(SYS_close, descriptor);
    }
}

static void note(enum call call, const char *path, const void *data, size_t length, off64_t offset, int status) {
    if (record < 0) return;
    struct entry entry = {call, strlen(path), length, status, offset};
    struct iovec parts[] = {{&entry, sizeof entry}, {(void *)path, entry.path_length}, {(void *)data, length}};
    syscall(SYS_writev, record, parts, 3);
}

// The path relative to the folder, "." for the folder; nil for other files.
static const char *inside(const char *path) {
    static __thread char full[2 * PATH_MAX];
    if (!control || !path) return 0;
    size_t length = strlen(folder);
    if (path[0] != '/') {
        if (syscall(SYS_getcwd, full, PATH_MAX) < 0) return 0;
        strcat(full, "/");
        strncat(full, path, PATH_MAX - 1);
        path = full;
    }
    if (strncmp(path, folder, length)) return 0;
    path += length;
    while (*path == '/') path++;
    return *path == 0 || !strcmp(path, ".") ? "." : path;
}

static const char *of(int descriptor) {
    return control && descriptor >= 0 && descriptor < 4096 && paths[descriptor][0] ? paths[descriptor] : 0;
}

static int applies(enum call call, int grows) {
    switch (control->fault) {
    case FULL: return grows || call == WRITE || call == LINK || call == RENAME;
    case BROKEN: return call != READ;
    case SHORT: case TORN: return call == WRITE;
    case KILLED: case STALLED: return call != READ && !(call == OPEN && !grows);
    case UNREADABLE: return call == READ;
    case FORGOTTEN: return call == SYNC;
    default: return 0;
    }
}

// The fault of this call: 0 if it does not fail.
static int fails(enum call call, int grows, const char *name, const char *path) {
    if (!control->fault || !applies(call, grows)) return 0;
    int64_t number = __sync_add_and_fetch(&control->count, 1);
    if (number < control->at || number > control->until) return 0;
    if (__sync_add_and_fetch(&control->hits, 1) == 1) {
        control->call[0] = 0;
        strncat(control->call, name, 16);
        strcat(control->call, " ");
        strncat(control->call, path, 44);
    }
    int fault = control->fault;
    if (fault == KILLED) syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    if (fault == STALLED) {
        // Other threads may open files meanwhile.
        pthread_mutex_unlock(&lock);
        while (!*(volatile int32_t *)&control->released) usleep(1000);
        pthread_mutex_lock(&lock);
        return 0;
    }
    // The disk is full behind a short write.
    if (fault == SHORT && number > control->at) fault = FULL;
    errno = fault == FULL ? ENOSPC : EIO;
    return fault;
}

static int opened(const char *name, int at, const char *path, int flags, mode_t mode) {
    const char *found = inside(path);
    if (!found) return syscall(SYS_openat, at, path, flags, mode);
    struct stat status;
    int grows = (flags & O_CREAT) && stat(path, &status) != 0;
    pthread_mutex_lock(&lock);
    int descriptor = fails(OPEN, grows, name, found) ? -1 : (int)syscall(SYS_openat, at, path, flags, mode);
    if (descriptor >= 0 && descriptor < 4096) {
        strncpy(paths[descriptor], found, 255);
        if (grows) note(OPEN, found, 0, 0, 0, 0);
        else if (flags & O_TRUNC) note(TRUNCATE, found, 0, 0, 0, 0);
    }
    pthread_mutex_unlock(&lock);
    return descriptor;
}

static mode_t mode_of(int flags, va_list list) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; }

#define OPENS(name, large) \
    int name(const char *path, int flags, ...) { \
        va_list list; va_start(list, flags); mode_t mode = mode_of(flags, list); va_end(list); \
        return opened("open", AT_FDCWD, path, flags | large, mode); }
#define OPENS_AT(name, large) \
    int name(int at, const char *path, int flags, ...) { \
        va_list list; va_start(list, flags); mode_t mode = mode_of(flags, list); va_end(list); \
        return opened("open", at, path, flags | large, mode); }
OPENS(open, 0) OPENS(open64, O_LARGEFILE) OPENS_AT(openat, 0) OPENS_AT(openat64, O_LARGEFILE)

int close(int descriptor) {
    if (control && descriptor >= 0 && descriptor < 4096) {
        if (descriptor == record) return 0;
        paths[descriptor][0] = 0;
    }
    return syscall(SYS_close, descriptor);
}

static ssize_t put(int descriptor, const void *bytes, size_t count, off64_t offset, int is_positioned) {
    const char *path = of(descriptor);
    if (!path) {
        ssize_t result = is_positioned ? syscall(SYS_pwrite64, descriptor, bytes, count, offset) : syscall(SYS_write, descriptor, bytes, count);
        if (control && result > 0 && !is_positioned) note(SAID, "", bytes, result < 256 ? result : 256, descriptor, 0);
        return result;
    }
    pthread_mutex_lock(&lock);
    int fault = fails(WRITE, 1, is_positioned ? "pwrite" : "write", path);
    ssize_t result = -1;
    if (!fault || fault == SHORT || fault == TORN) {
        off64_t place = is_positioned ? offset : syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
        size_t length = fault ? (count + 1) / 2 : count;
        result = is_positioned ? syscall(SYS_pwrite64, descriptor, bytes, length, offset) : syscall(SYS_write, descriptor, bytes, length);
        if (result > 0) note(WRITE, path, bytes, result, place, 0);
        if (fault == TORN) syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

ssize_t write(int descriptor, const void *bytes, size_t count) { return put(descriptor, bytes, count, 0, 0); }
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) { return put(descriptor, bytes, count, offset, 1); }
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) { return put(descriptor, bytes, count, offset, 1); }

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
    const char *path = of(descriptor);
    if (path && fails(READ, 0, "pread", path)) return -1;
    return syscall(SYS_pread64, descriptor, bytes, count, offset);
}
ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) { return pread64(descriptor, bytes, count, offset); }
ssize_t read(int descriptor, void *bytes, size_t count) {
    const char *path = of(descriptor);
    if (path && fails(READ, 0, "read", path)) return -1;
    return syscall(SYS_read, descriptor, bytes, count);
}

static int synchronized(const char *name, int descriptor, long number) {
    const char *path = of(descriptor);
    if (!path) return syscall(number, descriptor);
    pthread_mutex_lock(&lock);
    int fault = fails(SYNC, 0, name, path);
    // The test's folder may be in memory, so the disk has nothing to do.
    note(fault ? FAILED_SYNC : SYNC, path, 0, 0, 0, 0);
    pthread_mutex_unlock(&lock);
    return fault ? -1 : 0;
}

int fsync(int descriptor) { return synchronized("fsync", descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return synchronized("fdatasync", descriptor, SYS_fdatasync); }

static int truncated(int descriptor, off64_t length) {
    const char *path = of(descriptor);
    if (!path) return syscall(SYS_ftruncate, descriptor, length);
    struct stat status = {0};
    fstat(descriptor, &status);
    pthread_mutex_lock(&lock);
    int result = fails(TRUNCATE, length > status.st_size, "ftruncate", path) ? -1 : (int)syscall(SYS_ftruncate, descriptor, length);
    if (result == 0) note(TRUNCATE, path, 0, 0, length, 0);
    pthread_mutex_unlock(&lock);
    return result;
}
int ftruncate(int descriptor, off_t length) { return truncated(descriptor, length); }
int ftruncate64(int descriptor, off64_t length) { return truncated(descriptor, length); }

static int named(enum call call, const char *name, const char *from, const char *to, long number, int flags) {
    char source[256] = "";
    const char *found = inside(from);
    if (found) strncpy(source, found, 255);
    found = inside(to);
    if (!source[0] && !found) return syscall(number, AT_FDCWD, from, AT_FDCWD, to, flags);
    char target[256] = "";
    strncpy(target, found ? found : to, 255);
    pthread_mutex_lock(&lock);
    int result = fails(call, 1, name, target) ? -1 : (int)syscall(number, AT_FDCWD, from, AT_FDCWD, to, flags);
    if (result == 0) note(call, source, target, strlen(target), 0, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int rename(const char *from, const char *to) { return named(RENAME, "rename", from, to, SYS_renameat2, 0); }
int link(const char *from, const char *to) { return named(LINK, "link", from, to, SYS_linkat, 0); }

static int unlinked(int at, const char *path, int flags) {
    const char *found = inside(path);
    if (!found || flags) return syscall(SYS_unlinkat, at, path, flags);
    struct stat status;
    if (lstat(path, &status) != 0) return syscall(SYS_unlinkat, at, path, flags);
    pthread_mutex_lock(&lock);
    int result = fails(UNLINK, 0, "unlink", found) ? -1 : (int)syscall(SYS_unlinkat, at, path, flags);
    if (result == 0) note(UNLINK, found, 0, 0, 0, 0);
    pthread_mutex_unlock(&lock);
    return result;
}
int unlink(const char *path) { return unlinked(AT_FDCWD, path, 0); }
int unlinkat(int at, const char *path, int flags) { return unlinked(at, path, flags); }

// What the program says to others: the order of an acknowledgement among the calls.
ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
    ssize_t result = syscall(SYS_sendto, descriptor, bytes, count, flags, 0, 0);
    if (control && result > 0) note(SAID, "", bytes, result < 256 ? result : 256, descriptor, 0);
    return result;
}
