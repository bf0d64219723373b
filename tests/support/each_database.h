// A test of both engines, each with an empty database.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "postgres_server.h"
#include "sql/sql.h"
#include "temp_folder.h"

namespace ampere::testing_support {

class EachDatabase : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string engine = GetParam();
    if (engine == "postgresql") AMPERE_NEEDS_POSTGRES();
    url_ = engine == "sqlite" ? "sqlite:" + (folder_ / "ledger.db")
                              : PostgresServer::shared().new_schema();
    database_ = open();
  }

  std::shared_ptr<SqlDatabase> open(Access access = Access::write) const {
    return open_database(url_, access);
  }

  TempFolder folder_;
  std::string url_;
  std::shared_ptr<SqlDatabase> database_;
};

inline std::string engine_name(const ::testing::TestParamInfo<const char*>& engine) {
  return engine.param;
}

// The cases on PostgreSQL have a name of their own, so that they can share one server.
#define INSTANTIATE_FOR_EACH_DATABASE(suite)                                 \
  INSTANTIATE_TEST_SUITE_P(Sqlite, suite, ::testing::Values("sqlite"),       \
                           ::ampere::testing_support::engine_name);          \
  INSTANTIATE_TEST_SUITE_P(Postgres, suite, ::testing::Values("postgresql"), \
                           ::ampere::testing_support::engine_name)

}  // namespace ampere::testing_support
