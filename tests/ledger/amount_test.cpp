#include "ledger/amount.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

#include "ampere/error.h"

namespace ampere {
namespace {

TEST(Amount, SurvivesTheWayToJoulesAndBack) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200'000; ++i) {
    const auto bits = static_cast<int>(random() % 50);
    const auto mj = static_cast<std::int64_t>(random() % (1ULL << bits));
    if (mj > kMostMillijoules) continue;
    ASSERT_EQ(nearest_mj(from_mj(mj), "x"), mj);
    ASSERT_EQ(mj_rounded_up(from_mj(mj), "x"), mj);
  }
  EXPECT_EQ(mj_rounded_up(from_mj(kMostMillijoules), "x"), kMostMillijoules);
}

TEST(Amount, WhatIsUsedIsRoundedUp) {
  EXPECT_EQ(mj_rounded_up({0.0011}, "x"), 2);
  EXPECT_EQ(mj_rounded_up({0.0010001}, "x"), 2);
  EXPECT_EQ(mj_rounded_up({1e-10}, "x"), 0) << "less than a rounding error";
  EXPECT_EQ(mj_rounded_up({1e-5}, "x"), 1);
  EXPECT_EQ(mj_rounded_up({0}, "x"), 0);
  EXPECT_EQ(nearest_mj({-0.0016}, "x"), -2);
}

TEST(Amount, IsNotAnything) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1.1e12, 1e300})
    for (const double sign : {1.0, -1.0}) {
      EXPECT_THROW(mj_rounded_up({sign * bad}, "x"), Error) << sign * bad;
      EXPECT_THROW(nearest_mj({sign * bad}, "x"), Error) << sign * bad;
    }
  EXPECT_THROW(mj_rounded_up({-1}, "x"), Error);
}

TEST(Amount, IsWrittenInFull) {
  EXPECT_EQ(mj_text(0), "0 J");
  EXPECT_EQ(mj_text(12), "0.012 J");
  EXPECT_EQ(mj_text(-1200), "-1.2 J");
  EXPECT_EQ(mj_text(1'000'000'000'000'000), "1000000000000 J");
}

TEST(Amount, SumsDoNotOverflow) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(added_mj(most - 1, 5), most);
  EXPECT_EQ(added_mj(2, 3), 5);
}

}  // namespace
}  // namespace ampere
