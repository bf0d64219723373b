#include "train/footprint.h"

#include <gtest/gtest.h>

namespace ampere {
namespace {

Model mlp() {
  ModelBuilder net("mlp");
  net.add(Input{flat(10)});
  net.add(Linear{20});
  return std::move(net).build();
}

TEST(Footprint, CountsParametersThreeTimesForSgdAndFiveForAdam) {
  const double parameters = 10 * 20 + 20;
  const double kept = 10 + 20;
  EXPECT_DOUBLE_EQ(needed_bytes(mlp(), {7, Optimizer::sgd}), 4 * (3 * parameters + 7 * kept));
  EXPECT_DOUBLE_EQ(needed_bytes(mlp(), {7, Optimizer::adam}), 4 * (5 * parameters + 7 * kept));
  EXPECT_DOUBLE_EQ(needed_bytes(mlp(), with_phase({7}, Phase::inference)),
                   4 * (parameters + 7 * kept));
}

TEST(Footprint, AttentionGrowsWithTheSquareOfTheLength) {
  const auto bytes = [](std::int64_t length) {
    ModelBuilder net("attention");
    net.add(Input{sequence(length, 8)});
    net.add(SelfAttention{2});
    return needed_bytes(std::move(net).build(), {1});
  };
  const double parameters = 3 * (4.0 * 8 * 8 + 4 * 8);
  const double scores = 2.0 * 2 * 100 * 100;
  EXPECT_DOUBLE_EQ(bytes(100), 4 * (parameters + 2 * 100 * 8 + scores));
}

TEST(Footprint, WhatIsTheSameForAllSamplesIsKeptOnce) {
  ModelBuilder net("shifted");
  const int x = net.add(Input{flat(10)});
  const int own = net.add(Parameter{flat(10)});
  net.add(Add{}, {x, own});
  EXPECT_DOUBLE_EQ(needed_bytes(std::move(net).build(), {7}), 4 * (3 * 10 + 10 + 7 * (10 + 10)));
}

TEST(Footprint, HugeBatchesDoNotOverflow) {
  ampere::Setup setup;
  setup.batch = std::int64_t{1} << 62;
  EXPECT_GT(needed_bytes(mlp(), setup), 1e20);
}

}  // namespace
}  // namespace ampere
