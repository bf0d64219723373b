#include <gtest/gtest.h>

#include "ampere/decide.h"

namespace ampere {
namespace {

// Measured in the order that was predicted; per iteration, of ten iterations each.
OrderCheck checked(const std::vector<Quantity>& energies) {
  Choices choices;
  OrderCheck order;
  for (std::size_t i = 0; i < energies.size(); ++i) {
    Alternative each;
    each.workload = {10};
    choices.alternatives.push_back(each);
    CheckedAlternative one;
    one.alternative = i;
    if (energies[i].mean > 0) {
      one.measured.emplace();
      one.measured->energy_j = energies[i];
    }
    order.checked.push_back(one);
  }
  judge(order, choices, Wish::energy);
  return order;
}

TEST(MeasuredOrder, HoldsWhenEveryPairIsAsPredicted) {
  const OrderCheck order = checked({{1, 0.01}, {2, 0.01}, {3, 0.01}});
  EXPECT_EQ(order.held(), true);
  EXPECT_EQ(order.pairs_held, 3);
  EXPECT_EQ(order.measured_best, 0u);
}

TEST(MeasuredOrder, CountsWhatIsTheOtherWayRound) {
  const OrderCheck order = checked({{2, 0.01}, {1, 0.01}, {3, 0.01}});
  EXPECT_EQ(order.held(), false);
  EXPECT_EQ(order.pairs_turned, 1);
  EXPECT_EQ(order.pairs_held, 2);
  EXPECT_EQ(order.measured_best, 1u);
}

TEST(MeasuredOrder, DoesNotDecideWithinTheErrors) {
  const OrderCheck order = checked({{1.01, 0.02}, {1, 0.02}});
  EXPECT_EQ(order.held(), true);
  EXPECT_EQ(order.pairs_close, 1);
  EXPECT_EQ(order.pairs_held, 0);
}

TEST(MeasuredOrder, IsUnknownWhereFewerThanTwoWereMeasured) {
  EXPECT_EQ(checked({{0}, {2, 0.01}}).held(), std::nullopt);
  EXPECT_EQ(checked({{0}, {0}}).held(), std::nullopt);
  EXPECT_EQ(checked({}).held(), std::nullopt);
}

TEST(MeasuredOrder, LeavesFailuresOut) {
  const OrderCheck order = checked({{0}, {2, 0.01}, {3, 0.01}});
  EXPECT_EQ(order.pairs_held, 1);
  EXPECT_EQ(order.measured_best, 1u);
}

}  // namespace
}  // namespace ampere
