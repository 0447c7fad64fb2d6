// The variadic functions of libcurl and the look-up of names, in C, because Swift can define neither.
#ifndef LONGPRESS_CSIMULATION_H
#define LONGPRESS_CSIMULATION_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct sim_easy {
    char *url;
    unsigned char *body;
    size_t body_count;
    void *headers;
    long timeout, connect_timeout;
    size_t (*write)(char *, size_t, size_t, void *);
    size_t (*header)(char *, size_t, size_t, void *);
    void *write_data, *header_data;
    int (*before)(void *, char *, char *, int, int);
    void *before_data;
    long status, error, connects;
    int64_t connected;
} sim_easy;

// The n-th line of the request's header; NULL after the last.
const char *sim_header(const sim_easy *easy, int number);

// A CURLMsg about a finished transfer, in static memory.
void *sim_message(sim_easy *easy, int result);

#endif
