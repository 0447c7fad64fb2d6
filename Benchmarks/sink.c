// A consumer of webhooks that costs next to nothing: one thread, one epoll set, every POST is answered 200.
//
// Prints its port. GET /busy: from now on POSTs are answered 503 with Retry-After; GET /open: 200 again. GET /counts:
// "posts connections nanoseconds" of the accepted POSTs, the last between the first and the last. GET /times: one
// "nanoseconds revision" a POST, CLOCK_MONOTONIC. Each of /open and /times begins counting anew.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 4096, BUFFER = 32 * 1024, MOST_POSTS = 1 << 20 };

static struct connection {
    size_t length;
    char bytes[BUFFER + 1];
} *connections[MOST_CONNECTIONS];

static struct post {
    long long at;
    long revision;
} posts[MOST_POSTS];
static size_t post_count, connection_count;
static int is_busy;

static const char ACCEPTED[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
static const char BUSY[] = "HTTP/1.1 503 Busy\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n";

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void start_over(void) { post_count = connection_count = 0; }

static void send_all(int socket, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = write(socket, bytes, length);
        if (sent <= 0) return;
        bytes += sent;
        length -= (size_t)sent;
    }
}

static void report(int socket, const char *target) {
    char *text = NULL;
    size_t length = 0;
    FILE *body = open_memstream(&text, &length);
    if (!strncmp(target, "/busy", 5)) is_busy = 1;
    if (!strncmp(target, "/open", 5)) is_busy = 0, start_over();
    if (!strncmp(target, "/counts", 7)) {
        long long took = post_count ? posts[post_count - 1].at - posts[0].at : 0;
        fprintf(body, "%zu %zu %lld\n", post_count, connection_count, took);
    }
    if (!strncmp(target, "/times", 6)) {
        for (size_t i = 0; i < post_count; i++) fprintf(body, "%lld %ld\n", posts[i].at, posts[i].revision);
        start_over();
    }
    fclose(body);
    char head[128];
    int head_length = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n", length);
    send_all(socket, head, (size_t)head_length);
    send_all(socket, text, length);
    free(text);
}

static void note(const char *body) {
    const char *revision = strstr(body, "\"revision\":");
    if (post_count < MOST_POSTS) posts[post_count++] = (struct post){now(), revision ? atol(revision + 11) : 0};
}

// Answers every whole request in the buffer. Returns 0 where the connection is to be closed.
static int answer(int socket, struct connection *connection) {
    for (;;) {
        connection->bytes[connection->length] = 0;
        char *end = strstr(connection->bytes, "\r\n\r\n");
        if (!end) return connection->length < BUFFER;
        size_t body = 0, head = (size_t)(end - connection->bytes) + 4;
        for (char *line = connection->bytes; line && line < end; line = strstr(line, "\r\n"), line = line ? line + 2 : NULL)
            if (!strncasecmp(line, "content-length:", 15)) body = strtoul(line + 15, NULL, 10);
        if (head + body > BUFFER) return 0;
        if (head + body > connection->length) return 1;
        if (!strncmp(connection->bytes, "GET ", 4)) {
            report(socket, connection->bytes + 4);
        } else if (is_busy) {
            send_all(socket, BUSY, sizeof BUSY - 1);
        } else {
            char after = connection->bytes[head + body];
            connection->bytes[head + body] = 0;
            note(end + 4);
            connection->bytes[head + body] = after;
            send_all(socket, ACCEPTED, sizeof ACCEPTED - 1);
        }
        connection->length -= head + body;
        memmove(connection->bytes, connection->bytes + head + body, connection->length);
    }
}

static void receive(int socket) {
    struct connection *connection = connections[socket];
    ssize_t got = read(socket, connection->bytes + connection->length, BUFFER - connection->length);
    if (got > 0) connection->length += (size_t)got;
    if (got > 0 && answer(socket, connection)) return;
    free(connection);
    connections[socket] = NULL;
    close(socket);
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), set = epoll_create1(0), on = 1;
    if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1024)) return perror("sink"), 1;
    getsockname(listener, (struct sockaddr *)&address, &length);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, ready[256];
    epoll_ctl(set, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int count = epoll_wait(set, ready, 256, -1);
        for (int i = 0; i < count; i++) {
            if (ready[i].data.fd != listener) {
                receive(ready[i].data.fd);
                continue;
            }
            int socket = accept(listener, NULL, NULL);
            if (socket < 0 || socket >= MOST_CONNECTIONS || !(connections[socket] = calloc(1, sizeof **connections))) {
                if (socket >= 0) close(socket);
                continue;
            }
            connection_count++;
            setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            event.data.fd = socket;
            epoll_ctl(set, EPOLL_CTL_ADD, socket, &event);
        }
    }
}
