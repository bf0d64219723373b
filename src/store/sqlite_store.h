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
  std::chrono::milliseconds patience{10'000};  // for another process to finish writing
};

std::unique_ptr<Store> open_sqlite_store(const std::string& path, Access access,
                                         const SqliteOptions& options = {});

}  // namespace ampere
