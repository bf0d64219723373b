#include "base/utc.h"

#include <gtest/gtest.h>

namespace ampere {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::sys_seconds kNoon =
    std::chrono::sys_days(std::chrono::year{2026} / 1 / 31) + 12h;

TEST(Utc, WritesWholeSecondsAndMilliseconds) {
  EXPECT_EQ(utc_text(kNoon), "2026-01-31T12:00:00Z");
  EXPECT_EQ(utc_text(UtcMoment(kNoon + 7ms)), "2026-01-31T12:00:00.007Z");
  EXPECT_EQ(utc_text(UtcMoment(kNoon)), "2026-01-31T12:00:00.000Z");
}

TEST(Utc, ReadsWhatItWrites) {
  for (const UtcMoment moment : {UtcMoment(kNoon), UtcMoment(kNoon + 59s + 999ms)})
    EXPECT_EQ(parse_utc(utc_text(moment)), moment);
  EXPECT_EQ(parse_utc(utc_text(kNoon)), kNoon);
}

TEST(Utc, ReadsShorterAndLongerForms) {
  EXPECT_EQ(parse_utc("2026-01-31 12:00"), kNoon);
  EXPECT_EQ(parse_utc("2026-01-31T12:00:00+00:00"), kNoon);
  EXPECT_EQ(parse_utc("2026-01-31T12:00:00.5Z"), kNoon + 500ms);
  EXPECT_EQ(parse_utc("2026-01-31T12:00:00.123987Z"), kNoon + 123ms);
}

TEST(Utc, ReadsNothingElse) {
  for (const char* text :
       {"", "2026-02-30T12:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T12:00:00.Z",
        "2026-01-31T12:00.5Z", "2026-01-31T12:00:00+01:00", "2026-01-31", "12:00"})
    EXPECT_FALSE(parse_utc(text)) << text;
}

}  // namespace
}  // namespace ampere
