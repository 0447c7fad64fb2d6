// Calls of Linux and glibc that the Glibc module lacks, and constants that do not import as integers.
#ifndef LONGPRESS_CLINUX_H
#define LONGPRESS_CLINUX_H

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

// Only declared under _GNU_SOURCE.
extern long syscall(long, ...);
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int pthread_setname_np(pthread_t, const char *);

static const uint32_t lp_epollin = EPOLLIN;
static const uint32_t lp_epollout = EPOLLOUT;
static const uint32_t lp_epollrdhup = EPOLLRDHUP;
static const uint32_t lp_epollhup = EPOLLHUP;
static const uint32_t lp_epollerr = EPOLLERR;
static const uint32_t lp_epollet = EPOLLET;
static const int lp_epoll_cloexec = EPOLL_CLOEXEC;

static const int lp_sock_stream = SOCK_STREAM;
static const int lp_sock_nonblock = SOCK_NONBLOCK;
static const int lp_sock_cloexec = SOCK_CLOEXEC;
static const int lp_msg_nosignal = MSG_NOSIGNAL;
static const int lp_msg_more = MSG_MORE;
static const int lp_shut_wr = SHUT_WR;

// sched_setattr(2), which neither glibc before 2.41 nor the Glibc module has: sets the time slice of the calling thread. Does nothing
// unless the thread's policy is SCHED_OTHER.
static inline long lp_set_time_slice(uint64_t nanoseconds) {
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {0};
    const uint32_t size = sizeof attributes;
    if (syscall(SYS_sched_getattr, 0, &attributes, size, 0) != 0 || attributes.policy != 0) return -1;
    attributes.size = size;
    attributes.runtime = nanoseconds;
    return syscall(SYS_sched_setattr, 0, &attributes, 0);
}

// As above, but only once per thread: the two calls take a tenth of a fetch's time.
static inline void lp_set_time_slice_once(uint64_t nanoseconds) {
    static _Thread_local int is_set = 0;
    if (is_set) return;
    is_set = 1;
    lp_set_time_slice(nanoseconds);
}

// Names the calling thread; at most 15 bytes.
static inline void lp_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

// malloc.h is not in the Glibc module either. With another C library these do nothing.
static inline void lp_set_malloc_thresholds(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 16 << 20);
#endif
}

static inline void lp_trim_heap(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

static const int lp_efd_flags = EFD_NONBLOCK | EFD_CLOEXEC;
static const int lp_tfd_flags = TFD_NONBLOCK | TFD_CLOEXEC;

#endif
