// What a PostgreSQL server says when it refuses something, as an Error that says what to do.
#pragma once

#include <string>

#include "ampere/error.h"

namespace ampere {

// Why no connection came about.
struct ConnectFailure {
  Error error;
  enum class Lasts {
    forever,  // until somebody changes something: a wrong password, a missing database
    a_while,  // a server that cannot be reached now may be the wrong one, or be restarting
    briefly,  // the server is there and begins its work, or has too many guests
  } lasts = Lasts::forever;
};
// `database` is the URL without password, `text` what libpq said; there is a SQLSTATE when it was
// the first statement that failed.
ConnectFailure connect_failure(const std::string& database, const std::string& sqlstate,
                               const std::string& text);

// A statement that failed for good, by its SQLSTATE.
Error statement_error(const std::string& database, const std::string& sqlstate,
                      const std::string& text);

// Whether the whole transaction is to be run again: serialization failures, deadlocks, and locks
// that were not free in time.
bool is_collision(const std::string& sqlstate);
// Whether the server ended the connection.
bool is_disconnect(const std::string& sqlstate);

}  // namespace ampere
