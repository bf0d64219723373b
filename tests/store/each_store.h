// A test of every kind of store, with a folder or a schema of its own.
#pragma once

#include <gtest/gtest.h>

#include "../support/postgres_server.h"
#include "samples.h"

namespace ampere {

class EachStore : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string scheme = GetParam();
    if (scheme == "postgresql:") AMPERE_NEEDS_POSTGRES();
    url_ = scheme;
    if (scheme == "sqlite:") url_ += folder_ / "store.db";
    if (scheme == "postgresql:") url_ = testing_support::PostgresServer::shared().new_schema();
    store_ = open_store(url_);
  }

  TempFolder folder_;
  std::string url_;
  std::unique_ptr<Store> store_;
};

inline std::string store_name(const ::testing::TestParamInfo<const char*>& param_info) {
  const std::string scheme = param_info.param;
  return scheme.substr(0, scheme.size() - 1);
}

// The cases on PostgreSQL have a name of their own, so that they can share one server.
#define INSTANTIATE_FOR_EACH_STORE(suite)                                                       \
  INSTANTIATE_TEST_SUITE_P(Stores, suite, ::testing::Values("memory:", "sqlite:"), store_name); \
  INSTANTIATE_TEST_SUITE_P(Postgres, suite, ::testing::Values("postgresql:"), store_name)

}  // namespace ampere
