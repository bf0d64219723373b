#include "gp/search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace ampere {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

const Box kBox{Vector2d(-3, -3), Vector2d(3, 3)};

TEST(Search, FindsAnInnerTop) {
  const auto hill = [](const VectorXd& at, VectorXd* gradient) {
    const Vector2d away = at - Vector2d(1, -2);
    if (gradient != nullptr) *gradient = -2 * away;
    return -away.squaredNorm();
  };
  const Optimum top = maximise(hill, kBox, {Vector2d(0, 0)});
  EXPECT_LT((top.at - Vector2d(1, -2)).norm(), 1e-4);
  EXPECT_NEAR(top.value, 0, 1e-8);
}

TEST(Search, StopsAtTheBounds) {
  const auto slope = [](const VectorXd& at, VectorXd* gradient) {
    if (gradient != nullptr) *gradient = Vector2d(1, -1e-4);
    return at(0) - 1e-4 * at(1);
  };
  const Optimum top = maximise(slope, kBox, {Vector2d(0, 0)});
  EXPECT_EQ(top.at, VectorXd(Vector2d(3, -3)));
}

// Two narrow hills with a plain between them too flat to cross: whoever starts on one stays.
TEST(Search, TakesTheHighestOfTheHillsItsStartsLeadTo) {
  const auto hills = [](const VectorXd& at, VectorXd* gradient) {
    const Vector2d low = at - Vector2d(-2, 0), high = at - Vector2d(2, 0);
    const double low_value = std::exp(-4 * low.squaredNorm());
    const double high_value = 1.5 * std::exp(-4 * high.squaredNorm());
    if (gradient != nullptr) *gradient = -8 * (low_value * low + high_value * high);
    return low_value + high_value;
  };
  const Optimum low = maximise(hills, kBox, {Vector2d(-2.1, 0)});
  const Optimum high = maximise(hills, kBox, {Vector2d(-2.1, 0), Vector2d(2.1, 0)});
  EXPECT_NEAR(low.value, 1, 1e-6);
  EXPECT_NEAR(high.value, 1.5, 1e-6);
}

TEST(Search, PassesOnWhatTheFunctionThrows) {
  const auto broken = [](const VectorXd&, VectorXd*) -> double { throw std::domain_error("no"); };
  EXPECT_THROW(maximise(broken, kBox, {Vector2d(0, 0)}), std::domain_error);
}

}  // namespace
}  // namespace ampere
