// A test of every kind of store, with a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include "samples.h"

namespace ampere {

class EachStore : public ::testing::TestWithParam<const char*> {
 protected:
  EachStore() {
    const std::string scheme = GetParam();
    store_ = open_store(scheme == "sqlite:" ? scheme + (folder_ / "store.db") : scheme);
  }

  TempFolder folder_;
  std::unique_ptr<Store> store_;
};

inline auto stores() { return ::testing::Values("memory:", "sqlite:"); }

inline std::string store_name(const ::testing::TestParamInfo<const char*>& param_info) {
  const std::string scheme = param_info.param;
  return scheme.substr(0, scheme.size() - 1);
}

}  // namespace ampere
