#include "schedule/step_function.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace ampere {
namespace {

TEST(StepFunction, FindsTheFirstPlaceWithRoom) {
  StepFunction use;
  use.add(10, 20, 1);
  use.add(15, 30, 1);
  EXPECT_EQ(use.first_fit(0, 10, 0), 0);
  EXPECT_EQ(use.first_fit(0, 11, 0), 30);
  EXPECT_EQ(use.first_fit(0, 11, 1), 0);
  EXPECT_EQ(use.first_fit(12, 3, 1), 12);
  EXPECT_EQ(use.first_fit(12, 4, 1), 20);
  EXPECT_EQ(use.first_fit(40, 4, 0), 40);
  use.add(10, 20, -1);
  EXPECT_EQ(use.first_fit(0, 15, 0), 0);
}

// The reference keeps one level per whole second.
TEST(StepFunction, AgreesWithAnArrayOfSeconds) {
  constexpr int kSeconds = 3000;
  std::mt19937 random(1);
  StepFunction use;
  std::vector<int> level(kSeconds + 200, 0);
  for (int i = 0; i < 3000; ++i) {
    const int begin = static_cast<int>(random() % kSeconds),
              length = 1 + static_cast<int>(random() % 100);
    const int room = static_cast<int>(random() % 60);
    int expected = begin;
    for (int at = begin; at < expected + length && at < kSeconds + 200; ++at)
      if (level[static_cast<std::size_t>(at)] > room) expected = at + 1;
    ASSERT_EQ(use.first_fit(begin, length, room), expected) << "step " << i;
    use.add(begin, begin + length, 1);
    for (int at = begin; at < begin + length; ++at) ++level[static_cast<std::size_t>(at)];
  }
}

}  // namespace
}  // namespace ampere
