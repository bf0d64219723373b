// A store in an SQL database: a file of SQLite, or a database of a PostgreSQL server.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ampere/store.h"
#include "store/schema.h"

namespace ampere {

struct SqlStoreOptions {
  std::optional<Migrations> migrations = std::nullopt;  // those of the engine unless given
  StoreWait wait = {};
};

// Makes the tables or brings them to the newest version, also on the way to reading.
std::unique_ptr<Store> open_sql_store(const std::string& url, Access access,
                                      const SqlStoreOptions& options = {});

}  // namespace ampere
