// The Linux calls that the Glibc module does not have, and constants that do not import as integers.
#ifndef LONGPRESS_EPOLL_H
#define LONGPRESS_EPOLL_H

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

// Only declared by <sys/socket.h> under _GNU_SOURCE.
extern int accept4(int, struct sockaddr *, socklen_t *, int);

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

static const int lp_efd_flags = EFD_NONBLOCK | EFD_CLOEXEC;
static const int lp_tfd_flags = TFD_NONBLOCK | TFD_CLOEXEC;

#endif
