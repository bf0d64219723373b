// A store in one SQLite file.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "ampere/store.h"
#include "store/schema.h"

namespace ampere {

struct SqliteOptions {
  Migrations migrations = schema_migrations();
  std::chrono::milliseconds patience{60'000};  // for another process to finish writing
  StoreWait wait = {};
};

std::unique_ptr<Store> open_sqlite_store(const std::string& path, Access access,
                                         const SqliteOptions& options = {});

// Throws what opening it for writing would throw, and makes no store.
void check_sqlite_store_can_be_written(const std::string& path);

}  // namespace ampere
