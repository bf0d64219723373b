// A database of a PostgreSQL server.
#pragma once

#include <memory>
#include <string>

#include "sql/postgres_link.h"

namespace ampere {

// Waits for a server that is starting; another one that does not answer is an error at once, and is
// waited for only after it had answered once.
std::unique_ptr<SqlDatabase> open_postgres(const std::string& url, Access access,
                                           const StoreWait& wait, ConnectPostgres connect);

}  // namespace ampere
