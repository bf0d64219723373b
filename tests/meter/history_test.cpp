#include "meter/history.h"

#include <gtest/gtest.h>

namespace ampere {
namespace {

Reading reading(double seconds, double first, double second) {
  return {Seconds{seconds}, {Joules{first}, Joules{second}}};
}

TEST(ReadingHistory, InterpolatesEveryDomain) {
  ReadingHistory history;
  history.add(reading(1, 0, 10));
  history.add(reading(3, 4, 20));
  const auto between = history.at(Seconds{1.5});
  ASSERT_TRUE(between);
  EXPECT_EQ(between->time, Seconds{1.5});
  EXPECT_DOUBLE_EQ(between->energy.at(0).value, 1);
  EXPECT_DOUBLE_EQ(between->energy.at(1).value, 12.5);
}

TEST(ReadingHistory, KnowsItsReadingsExactly) {
  ReadingHistory history;
  history.add(reading(1, 0.1, 10));
  history.add(reading(3, 0.3, 20));
  EXPECT_EQ(history.at(Seconds{1})->energy.at(0).value, 0.1);
  EXPECT_EQ(history.at(Seconds{3})->energy.at(0).value, 0.3);
}

TEST(ReadingHistory, KnowsNothingOutsideOfIt) {
  ReadingHistory history;
  EXPECT_FALSE(history.at(Seconds{1}));
  history.add(reading(1, 0, 0));
  history.add(reading(2, 1, 1));
  EXPECT_FALSE(history.at(Seconds{0.999}));
  EXPECT_FALSE(history.at(Seconds{2.001}));
}

TEST(ReadingHistory, LeavesOutReadingsThatAreNotNew) {
  ReadingHistory history;
  history.add(reading(2, 1, 1));
  history.add(reading(2, 5, 5));
  history.add(reading(1, 9, 9));
  ASSERT_EQ(history.readings().size(), 1u);
  EXPECT_EQ(history.at(Seconds{2})->energy.at(0).value, 1);
}

TEST(ReadingHistory, ForgetsOnlyWhatNoLaterMomentNeeds) {
  ReadingHistory history;
  for (int i = 0; i < 10; ++i) history.add(reading(i, i, i));
  history.forget_before(Seconds{4.5});
  EXPECT_EQ(history.readings().front().time, Seconds{4});
  EXPECT_DOUBLE_EQ(history.at(Seconds{4.5})->energy.at(0).value, 4.5);
  EXPECT_FALSE(history.at(Seconds{3.5}));
  history.forget_before(Seconds{100});
  EXPECT_EQ(history.readings().size(), 1u);
}

}  // namespace
}  // namespace ampere
