/* paced PORT TARGET RATE SECONDS [FIELDS]: fetches the target so many times a second over one connection, each at its time and not
 * before the one before it is answered, and prints the median and the 99th percentile in milliseconds. Where an at sign stands in the
 * target or the field lines there is another number in each request. In C, because an
 * interpreter's own pauses are as long as what is measured. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static long nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void sleep_until(long at) {
    struct timespec time = {at / 1000000000L, at % 1000000000L};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

static void fail(const char *what) {
    fprintf(stderr, "paced: %s\n", what);
    exit(1);
}

/* Reads one answer with a Content-Length. */
static void read_answer(int connection) {
    static char answer[1 << 20];
    size_t count = 0, wanted = 0;
    while (!wanted || count < wanted) {
        ssize_t more = read(connection, answer + count, sizeof answer - 1 - count);
        if (more <= 0) fail("the connection ended");
        count += more;
        answer[count] = 0;
        char *end = wanted ? NULL : strstr(answer, "\r\n\r\n");
        if (!end) continue;
        char *length = strstr(answer, "Content-Length: ");
        if (strncmp(answer, "HTTP/1.1 200 ", 13) || !length || length > end) fail("not a 200 with a length");
        wanted = end + 4 - answer + strtoul(length + 16, NULL, 10);
        if (wanted >= sizeof answer) fail("an answer of more than a MiB");
    }
}

static int ascending(const void *left, const void *right) {
    long a = *(const long *)left, b = *(const long *)right;
    return (a > b) - (a < b);
}

int main(int count, char **arguments) {
    if (count != 5 && count != 6) fail("wanted: PORT TARGET RATE SECONDS [FIELDS]");
    long rate = atol(arguments[3]), fetches = rate * atol(arguments[4]);
    if (fetches < 1) fail("nothing to do");
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(arguments[1])), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int connection = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (connect(connection, (struct sockaddr *)&address, sizeof address)) fail("nobody listens");
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    char request[1024];
    const char *fields = count == 6 ? arguments[5] : "";
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n", arguments[2], fields);
    if (length >= (int)sizeof request) fail("the target is too long");
    char *sign = strchr(request, '@');
    if (sign) {
        length += 8;
        if (length >= (int)sizeof request) fail("the target is too long");
        memmove(sign + 9, sign + 1, strlen(sign + 1) + 1);
    }
    long *times = calloc(fetches, sizeof *times), begun = nanoseconds();
    for (long number = 0; number < fetches; number++) {
        if (sign) {
            char digits[16];
            snprintf(digits, sizeof digits, "%09ld", (begun / 1000 + number) % 1000000000L);
            memcpy(sign, digits, 9);
        }
        sleep_until(begun + number * (1000000000L / rate));
        long sent = nanoseconds();
        if (write(connection, request, length) != length) fail("not sent");
        read_answer(connection);
        times[number] = nanoseconds() - sent;
    }
    qsort(times, fetches, sizeof *times, ascending);
    printf("%.4f %.4f\n", times[fetches / 2] / 1e6, times[fetches * 99 / 100] / 1e6);
}
