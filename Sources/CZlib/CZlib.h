#ifndef LONGPRESS_CZLIB_H
#define LONGPRESS_CZLIB_H

#include <zlib.h>

// deflateInit2 is a macro, which Swift does not import. A negative number of window bits means no wrapper.

static inline int longpress_deflate_init_gzip(z_stream *stream, int level, int window_bits) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int longpress_deflate_init_raw(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}

#endif
