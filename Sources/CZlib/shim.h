#ifndef LONGPRESS_CZLIB_SHIM_H
#define LONGPRESS_CZLIB_SHIM_H

#include <zlib.h>

// deflateInit2 is a macro, which Swift does not import.
static inline int longpress_deflate_init_gzip(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
