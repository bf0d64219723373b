#include "rig/progress_log.h"

#include <gtest/gtest.h>

namespace ampere {
namespace {

TEST(ProgressLog, IsEvenBetweenItsEntries) {
  ProgressLog log(Seconds{10});
  EXPECT_EQ(log.at(Seconds{11}), 0);
  log.add(Seconds{12}, 4);
  log.add(Seconds{13}, 10);
  EXPECT_DOUBLE_EQ(log.at(Seconds{10}), 0);
  EXPECT_DOUBLE_EQ(log.at(Seconds{11}), 2);
  EXPECT_DOUBLE_EQ(log.at(Seconds{12}), 4);
  EXPECT_NEAR(log.at(Seconds{12.1}), 5, 1e-9);
  EXPECT_DOUBLE_EQ(log.at(Seconds{13}), 14);
  EXPECT_EQ(log.iterations(), 14);
}

TEST(ProgressLog, GoesOnBeforeItsStartAndStopsAtItsEnd) {
  ProgressLog log(Seconds{10});
  log.add(Seconds{12}, 4);
  EXPECT_DOUBLE_EQ(log.at(Seconds{9}), -2);
  EXPECT_DOUBLE_EQ(log.at(Seconds{99}), 4);
}

TEST(ProgressLog, NeverGoesBack) {
  ProgressLog log(Seconds{10});
  log.add(Seconds{12}, 4);
  log.add(Seconds{11.5}, 1);
  EXPECT_EQ(log.end(), Seconds{12});
  EXPECT_DOUBLE_EQ(log.at(Seconds{11}), 2);
  EXPECT_DOUBLE_EQ(log.at(Seconds{12}), 5);
}

}  // namespace
}  // namespace ampere
