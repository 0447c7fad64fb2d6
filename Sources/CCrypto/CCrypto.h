// SHA-256 and HMAC of OpenSSL 3. libcurl brings the library into the process anyway, for TLS.
#ifndef LONGPRESS_CCRYPTO_H
#define LONGPRESS_CCRYPTO_H

#include <openssl/evp.h>
#include <openssl/hmac.h>

#endif
