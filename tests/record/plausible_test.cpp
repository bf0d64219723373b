#include "record/plausible.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"

namespace ampere {
namespace {

Window window(double joules, double seconds) {
  Window window;
  window.iterations = 1;
  window.energy = {joules};
  window.time = Seconds(seconds);
  return window;
}

std::string refusal(const Window& window, const std::string& meter) {
  try {
    require_plausible(window, meter);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    return error.what();
  }
  return "";
}

TEST(Plausible, WhatDevicesReallyDrawPasses) {
  EXPECT_EQ(refusal(window(1400, 1), "nvml:0 (energy counter)"), "");
  EXPECT_EQ(refusal(window(900e3, 1), "cmd: a rack"), "");
  EXPECT_EQ(refusal(window(0, 1e-9), "nvml:0"), "");
}

TEST(Plausible, AbsurdPowerNamesTheMeterAndTheLimit) {
  EXPECT_THAT(refusal(window(1e155, 1), ""), testing::HasSubstr("1e+06 W"));
  EXPECT_THAT(refusal(window(6e3, 1), "nvml:0"),
              testing::AllOf(testing::HasSubstr("nvml:0"), testing::HasSubstr("5000 W")));
  EXPECT_NE(refusal(window(1, 0), "rapl"), "") << "energy in no time";
}

TEST(Plausible, AbsurdTimesAreRefusedToo) {
  EXPECT_NE(refusal(window(1, 1e300), ""), "");
  EXPECT_THROW(require_plausible(Timing{1e9, {}, {}}), Error);
  EXPECT_THROW(require_plausible(Pace{1, 1e9, "", {}}), Error);
  EXPECT_NO_THROW(require_plausible(Pace{1, 1, "", {}}));
}

TEST(Plausible, ARejectedWindowDoesNotCount) {
  Measurement measurement;
  measurement.windows = {window(1, 1), window(1e160, 1)};
  measurement.energy_j.mean = measurement.time_s.mean = 1;
  EXPECT_THROW(require_plausible(measurement, ""), Error);
  measurement.windows[1].rejected = "disturbed";
  EXPECT_NO_THROW(require_plausible(measurement, ""));
}

}  // namespace
}  // namespace ampere
