// SHA-256, HMAC and AES-256-GCM of OpenSSL 3, which libcurl loads for TLS anyway.
#ifndef LONGPRESS_CCRYPTO_H
#define LONGPRESS_CCRYPTO_H

#include <openssl/evp.h>
#include <openssl/hmac.h>

#endif
