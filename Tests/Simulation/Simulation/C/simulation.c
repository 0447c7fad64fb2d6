#define CURL_DISABLE_TYPECHECK
#define _GNU_SOURCE
#include "CSimulation.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// In Swift: waits as a look-up does, and returns the last byte of the name's address; negative for an error of getaddrinfo(3).
extern int simulated_lookup(const char *name);

CURLcode curl_global_init(long flags) { return CURLE_OK; }

CURL *curl_easy_init(void) { return calloc(1, sizeof(sim_easy)); }

void curl_easy_reset(CURL *handle) {
    sim_easy *easy = handle;
    free(easy->url);
    free(easy->body);
    memset(easy, 0, sizeof *easy);
}

void curl_easy_cleanup(CURL *handle) {
    curl_easy_reset(handle);
    free(handle);
}

#undef curl_easy_setopt
CURLcode curl_easy_setopt(CURL *handle, CURLoption option, ...) {
    sim_easy *easy = handle;
    va_list list;
    va_start(list, option);
    switch (option) {
    case CURLOPT_URL: free(easy->url); easy->url = strdup(va_arg(list, const char *)); break;
    case CURLOPT_POSTFIELDSIZE_LARGE: easy->body_count = va_arg(list, curl_off_t); break;
    case CURLOPT_COPYPOSTFIELDS:
        free(easy->body);
        easy->body = malloc(easy->body_count + 1);
        memcpy(easy->body, va_arg(list, const void *), easy->body_count);
        break;
    case CURLOPT_HTTPHEADER: easy->headers = va_arg(list, void *); break;
    case CURLOPT_TIMEOUT_MS: easy->timeout = va_arg(list, long); break;
    case CURLOPT_CONNECTTIMEOUT_MS: easy->connect_timeout = va_arg(list, long); break;
    case CURLOPT_WRITEFUNCTION: easy->write = va_arg(list, void *); break;
    case CURLOPT_HEADERFUNCTION: easy->header = va_arg(list, void *); break;
    case CURLOPT_WRITEDATA: easy->write_data = va_arg(list, void *); break;
    case CURLOPT_HEADERDATA: easy->header_data = va_arg(list, void *); break;
    case CURLOPT_PREREQFUNCTION: easy->before = va_arg(list, void *); break;
    case CURLOPT_PREREQDATA: easy->before_data = va_arg(list, void *); break;
    default: break;
    }
    va_end(list);
    return CURLE_OK;
}

#undef curl_easy_getinfo
CURLcode curl_easy_getinfo(CURL *handle, CURLINFO info, ...) {
    sim_easy *easy = handle;
    va_list list;
    va_start(list, info);
    void *result = va_arg(list, void *);
    switch (info) {
    case CURLINFO_RESPONSE_CODE: *(long *)result = easy->status; break;
    case CURLINFO_OS_ERRNO: *(long *)result = easy->error; break;
    case CURLINFO_NUM_CONNECTS: *(long *)result = easy->connects; break;
    case CURLINFO_PRETRANSFER_TIME_T: *(curl_off_t *)result = easy->connected; break;
    default: break;
    }
    va_end(list);
    return CURLE_OK;
}

#undef curl_multi_setopt
CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option, ...) { return CURLM_OK; }

const char *curl_easy_strerror(CURLcode code) { return "simulated"; }

curl_version_info_data *curl_version_info(CURLversion age) {
    static curl_version_info_data info = {.age = CURLVERSION_NOW, .version = "simulated"};
    return &info;
}

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) {
    struct curl_slist *last = malloc(sizeof *last);
    last->data = strdup(text);
    last->next = NULL;
    if (!list) return last;
    struct curl_slist *end = list;
    while (end->next) end = end->next;
    end->next = last;
    return list;
}

void curl_slist_free_all(struct curl_slist *list) {
    while (list) {
        struct curl_slist *next = list->next;
        free(list->data);
        free(list);
        list = next;
    }
}

const char *sim_header(const sim_easy *easy, int number) {
    struct curl_slist *line = easy->headers;
    while (line && number-- > 0) line = line->next;
    return line ? line->data : NULL;
}

void *sim_message(sim_easy *easy, int result) {
    static CURLMsg message;
    message.msg = CURLMSG_DONE;
    message.easy_handle = easy;
    message.data.result = result;
    return &message;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    int last = simulated_lookup(name);
    if (last < 0) return last;
    struct addrinfo *info = calloc(1, sizeof *info);
    struct sockaddr_in *address = calloc(1, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(0x5DB8D800 | last);
    info->ai_family = AF_INET;
    info->ai_socktype = SOCK_STREAM;
    info->ai_addr = (struct sockaddr *)address;
    info->ai_addrlen = sizeof *address;
    *result = info;
    return 0;
}

void freeaddrinfo(struct addrinfo *info) {
    free(info->ai_addr);
    free(info);
}
