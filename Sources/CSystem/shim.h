// Calls that the Glibc module does not have: epoll(7), and accept4(2) with its flags.
#ifndef LONGPRESS_CSYSTEM_SHIM_H
#define LONGPRESS_CSYSTEM_SHIM_H

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>

// Declared by <sys/socket.h> under _GNU_SOURCE only, which must not differ from the other C modules'.
int accept4(int, struct sockaddr *restrict, socklen_t *restrict, int);

enum {
    longpress_epoll_in = EPOLLIN,
    longpress_epoll_out = EPOLLOUT,
    longpress_epoll_gone = EPOLLHUP | EPOLLERR,
    longpress_epoll_add = EPOLL_CTL_ADD,
    longpress_epoll_modify = EPOLL_CTL_MOD,
    longpress_epoll_remove = EPOLL_CTL_DEL,
};

typedef struct {
    int32_t descriptor;
    uint32_t events;
} longpress_ready;

static inline int longpress_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int longpress_epoll_control(int epoll, int operation, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.fd = descriptor}};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

// Never waits: Dispatch does.
static inline int longpress_epoll_poll(int epoll, longpress_ready *ready, int capacity) {
    struct epoll_event events[256];
    int count = epoll_wait(epoll, events, capacity < 256 ? capacity : 256, 0);
    for (int i = 0; i < count; i++) {
        ready[i].descriptor = events[i].data.fd;
        ready[i].events = events[i].events;
    }
    return count;
}

static inline int longpress_accept(int listener, struct sockaddr_storage *address) {
    socklen_t length = sizeof *address;
    return accept4(listener, (struct sockaddr *)address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

#endif
