#include "base/amounts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "../support/error_of.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::error_of;

TEST(Amounts, HaveUnitsWithOrWithoutABlank) {
  EXPECT_DOUBLE_EQ(parse_energy("50kWh", "x").value, 1.8e8);
  EXPECT_DOUBLE_EQ(parse_energy(" 5 kJ ", "x").value, 5000);
  EXPECT_DOUBLE_EQ(parse_energy("1.5Wh", "x").value, 5400);
  EXPECT_DOUBLE_EQ(parse_power("20kW", "x").value, 20000);
  EXPECT_DOUBLE_EQ(parse_power("3 mW", "x").value, 0.003);
  EXPECT_DOUBLE_EQ(parse_time_span("15min", "x").count(), 900);
  EXPECT_DOUBLE_EQ(parse_time_span("2h", "x").count(), 7200);
  EXPECT_DOUBLE_EQ(parse_time_span("1 d", "x").count(), 86400);
}

TEST(Durations, AreWrittenAsPeopleSayThem) {
  for (const auto& [seconds, text] : {std::pair{0., "0 s"},
                                      {0.25, "0.25 s"},
                                      {1.0008, "1 s"},
                                      {40.4, "40 s"},
                                      {59.7, "1 min"},
                                      {90., "1 min 30 s"},
                                      {599.8, "10 min"},
                                      {1472.4, "25 min"},
                                      {3599., "1 h"},
                                      {7200., "2 h"},
                                      {94337., "26 h 12 min"},
                                      {-90., "-1 min 30 s"}})
    EXPECT_EQ(duration_text(Seconds(seconds)), text) << seconds;
}

TEST(Amounts, OfMemoryAreInThousandsOrInPowersOfTwo) {
  EXPECT_DOUBLE_EQ(parse_memory("24GB", "x"), 24e9);
  EXPECT_DOUBLE_EQ(parse_memory("80 GiB", "x"), 80 * 0x1p30);
  EXPECT_DOUBLE_EQ(parse_memory("512MB", "x"), 512e6);
  for (const char* text : {"24", "GB", "-1GB", "1e30GB", "24 gigs"})
    EXPECT_THAT(error_of([&] { parse_memory(text, "--memory"); }).what(), HasSubstr("--memory: '"));
}

TEST(Amounts, AreRefusedWithTheirNameAndText) {
  for (const char* text : {"", "5", "kJ", "-5 kJ", "0J", "nan J", "inf kWh", "5 kW", "1e400 J"}) {
    const Error error = error_of([&] { parse_energy(text, "--budget"); });
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("--budget: '" + std::string(text) + "'"));
  }
}

}  // namespace
}  // namespace ampere
