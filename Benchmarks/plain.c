// The limit for the sender: a plain libcurl multi loop that posts the same bytes, with nothing around it. No store, no
// signature, no guard, no log.
//
// plain URL COUNT IN-FLIGHT BODY-FILE [FIELD-LINE…]: prints "nanoseconds CPU-nanoseconds".
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long long now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static size_t ignore(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes, (void)context;
    return size * count;
}

int main(int count, char **arguments) {
    if (count < 5) return fputs("plain URL COUNT IN-FLIGHT BODY-FILE [FIELD-LINE...]\n", stderr), 2;
    long wanted = atol(arguments[2]), in_flight = atol(arguments[3]), begun = 0, done = 0;
    static char body[20000];
    FILE *file = fopen(arguments[4], "rb");
    if (!file) return perror(arguments[4]), 1;
    long length = (long)fread(body, 1, sizeof body, file);
    struct curl_slist *fields = NULL;
    for (int i = 5; i < count; i++) fields = curl_slist_append(fields, arguments[i]);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, in_flight);
    long long started = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    for (; begun < in_flight && begun < wanted; begun++) {
        CURL *easy = curl_easy_init();
        curl_easy_setopt(easy, CURLOPT_URL, arguments[1]);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, length);
        curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
        curl_multi_add_handle(multi, easy);
    }
    while (done < wanted) {
        int running, left;
        curl_multi_perform(multi, &running);
        for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
            CURL *easy = message->easy_handle;
            long status = 0;
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            if (status != 200) return fprintf(stderr, "answered %ld\n", status), 1;
            done++;
            curl_multi_remove_handle(multi, easy);
            if (begun++ < wanted) curl_multi_add_handle(multi, easy);
        }
        if (done < wanted) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    printf("%lld %lld\n", now(CLOCK_MONOTONIC) - started, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
}
