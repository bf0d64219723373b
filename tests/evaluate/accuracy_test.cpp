#include <gtest/gtest.h>

#include <cmath>

#include "ampere/error.h"
#include "ampere/evaluate.h"

namespace ampere {
namespace {

TEST(Accuracy, FollowsItsDefinitions) {
  const std::vector<Interval> predicted{{1.1, 0.9, 1.2}, {0.8, 0.7, 0.9}, point(1.0)};
  const std::vector<double> measured{1, 1, 1};
  const Accuracy result = accuracy(predicted, measured);
  EXPECT_NEAR(result.mape, 0.1, 1e-12);
  EXPECT_NEAR(result.bias, -0.1 / 3, 1e-12);
  EXPECT_NEAR(result.rmspe, std::sqrt((0.01 + 0.04) / 3), 1e-12);
  EXPECT_NEAR(result.within_5, 1.0 / 3, 1e-12);
  EXPECT_NEAR(result.within_15, 2.0 / 3, 1e-12);
  EXPECT_DOUBLE_EQ(*result.coverage, 0.5) << "of those that state an interval";
}

TEST(Accuracy, NeedsSomethingToCompare) {
  EXPECT_THROW(accuracy({}, {}), Error);
  EXPECT_THROW(accuracy(std::vector<Interval>{point(1)}, std::vector<double>{1, 2}), Error);
}

}  // namespace
}  // namespace ampere
