/* streams PORT STREAM TARGET COUNT: opens so many streams of changes, waits until each has its state, and prints "open". Then it prints a
 * line for each revision that all of them have heard: the revision, and when the median stream, all but one in a hundred and the last one
 * had heard of it, in nanoseconds of CLOCK_MONOTONIC; and the least revision that a fetch of TARGET was answered with, which is made
 * over another connection as soon as the first stream has heard. In C, because an interpreter takes longer to read than the server to send. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CARRIED = 32, REVISIONS = 1 << 16 };

/* The last bytes of a stream that may be the beginning of what is looked for. */
struct stream { int descriptor, carried; long heard; char carry[CARRIED]; };

static struct stream *streams;
static long *times[REVISIONS];
static int heard_by[REVISIONS], count;
static const char *target;
static long fetched[REVISIONS];

static long nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void fail(const char *what) {
    fprintf(stderr, "streams: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int ascending(const void *left, const void *right) {
    long a = *(const long *)left, b = *(const long *)right;
    return (a > b) - (a < b);
}

static int connected(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int connection = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address)) fail("connect");
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return connection;
}

static void ask(int connection, const char *path) {
    char request[1024];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", path);
    if (length >= (int)sizeof request || write(connection, request, length) != length) fail("write");
}

/* The revision in an answer with a Content-Length. */
static long fetch(int connection) {
    static char answer[1 << 18];
    size_t size = 0, wanted = 0;
    ask(connection, target);
    while (!wanted || size < wanted) {
        ssize_t more = read(connection, answer + size, sizeof answer - 1 - size);
        if (more <= 0) fail("the fetch was not answered");
        answer[size += more] = 0;
        char *end = strstr(answer, "\r\n\r\n"), *length = strstr(answer, "Content-Length: ");
        if (!wanted && end && length) wanted = end + 4 - answer + strtoul(length + 16, NULL, 10);
        if (wanted >= sizeof answer) fail("an answer of more than 256 KiB");
    }
    char *revision = strstr(answer, "\"revision\":");
    return revision ? atol(revision + 11) : -1;
}

static void hear(struct stream *stream, long revision, int fetcher) {
    if (revision <= stream->heard || revision >= REVISIONS) return;
    stream->heard = revision;
    if (!times[revision] && !(times[revision] = calloc(count, sizeof(long)))) fail("calloc");
    times[revision][heard_by[revision]++] = nanoseconds();
    if (heard_by[revision] == 1) fetched[revision] = fetch(fetcher);
    if (heard_by[revision] < count) return;
    qsort(times[revision], count, sizeof(long), ascending);
    printf("%ld %ld %ld %ld %ld\n", revision, times[revision][count / 2], times[revision][count * 99L / 100], times[revision][count - 1],
           fetched[revision]);
    fflush(stdout);
    free(times[revision]);
    times[revision] = NULL;
}

/* Reads what there is and hears each complete revision in it. */
static void receive(struct stream *stream, int fetcher) {
    static char bytes[CARRIED + 65536 + 1];
    memcpy(bytes, stream->carry, stream->carried);
    ssize_t more = recv(stream->descriptor, bytes + stream->carried, 65536, MSG_DONTWAIT);
    if (more < 0 && errno == EAGAIN) return;
    if (more <= 0) fail("a stream has ended");
    char *end = bytes + stream->carried + more, *at = bytes;
    *end = 0;
    while ((at = memmem(at, end - at, "\"revision\":", 11))) {
        char *rest;
        long revision = strtol(at + 11, &rest, 10);
        if (rest == end) break;
        hear(stream, revision, fetcher);
        at = rest;
    }
    stream->carried = end - bytes < CARRIED ? end - bytes : CARRIED;
    memcpy(stream->carry, end - stream->carried, stream->carried);
}

int main(int arguments, char **argument) {
    if (arguments != 5) fail("wanted: PORT STREAM TARGET COUNT");
    int port = atoi(argument[1]), set = epoll_create1(0);
    target = argument[3];
    count = atoi(argument[4]);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    streams = calloc(count, sizeof *streams);
    if (!streams || set < 0) fail("start");
    int fetcher = connected(port);
    for (int number = 0; number < count; number++) {
        struct stream *stream = &streams[number];
        stream->descriptor = connected(port);
        ask(stream->descriptor, argument[2]);
        /* The state is waited for, so that no more than one opening is under way. */
        char bytes[2048];
        size_t size = 0;
        do {
            ssize_t more = read(stream->descriptor, bytes + size, sizeof bytes - 1 - size);
            if (more <= 0) fail("a stream was not opened");
            bytes[size += more] = 0;
        } while (!strstr(bytes, "}}}"));
        stream->heard = atol(strstr(bytes, "\"revision\":") + 11);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = stream};
        if (epoll_ctl(set, EPOLL_CTL_ADD, stream->descriptor, &event)) fail("epoll_ctl");
    }
    printf("open\n");
    fflush(stdout);
    struct epoll_event ready[512];
    while (1) {
        int some = epoll_wait(set, ready, 512, -1);
        for (int index = 0; index < some; index++) receive(ready[index].data.ptr, fetcher);
    }
}
