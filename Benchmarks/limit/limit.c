/* limit PORT HEAD BODY: the least a server can do. One blocking epoll loop that looks for the end of a request's head and
   writes the bytes of two files. It understands nothing, keeps nothing and is the limit that a real one is measured beside. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static size_t append(const char *path, char *to, size_t room) {
    FILE *file = fopen(path, "rb");
    if (!file) exit(2);
    size_t count = fread(to, 1, room, file);
    fclose(file);
    return count;
}

int main(int count, char **arguments) {
    static char answer[1 << 16], input[1 << 16];
    if (count != 4) return 2;
    size_t length = append(arguments[2], answer, sizeof answer);
    length += append(arguments[3], answer + length, sizeof answer - length);

    int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0), set = epoll_create1(0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(arguments[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1024)) return 1;
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[256];
    epoll_ctl(set, EPOLL_CTL_ADD, listener, &event);

    for (;;) {
        int ready = epoll_wait(set, events, 256, -1);
        for (int index = 0; index < ready; index++) {
            int descriptor = events[index].data.fd;
            if (descriptor == listener) {
                descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
                setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                event.data.fd = descriptor;
                epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
                continue;
            }
            ssize_t received = read(descriptor, input, sizeof input);
            if (received <= 0) {
                close(descriptor);
            } else if (memmem(input, received, "\r\n\r\n", 4)) {
                send(descriptor, answer, length, MSG_NOSIGNAL);
            }
        }
    }
}
