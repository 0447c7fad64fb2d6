// libpq, the client library of PostgreSQL. Its functions are imported as they are.
#ifndef LONGPRESS_CPQ_H
#define LONGPRESS_CPQ_H

#include <libpq-fe.h>

#endif
