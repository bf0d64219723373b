#include "meter/meter_settings.h"

#include <gtest/gtest.h>

#include "ampere/error.h"

namespace ampere {
namespace {

TEST(MeterSettings, StandBehindTheSubject) {
  const MeterSettings settings("trace", "a,b=c.csv,wait=3,clock=unix", {"clock", "wait"});
  EXPECT_EQ(settings.subject(), "a,b=c.csv");
  EXPECT_EQ(settings.number("wait"), 3);
  EXPECT_EQ(settings.choice("clock", {"unix", "start"}), "unix");
  EXPECT_EQ(settings.text("nothing"), std::nullopt);
  EXPECT_EQ(settings.spec(), "trace:a,b=c.csv,wait=3,clock=unix");
}

TEST(MeterSettings, NeedNoSubject) {
  const MeterSettings settings("battery", "unit=mA", {"unit"});
  EXPECT_EQ(settings.subject(), "");
  EXPECT_EQ(settings.text("unit"), "mA");
  EXPECT_EQ(MeterSettings("battery", "", {"unit"}).spec(), "battery");
}

TEST(MeterSettings, LeaveACommandAlone) {
  const std::string command = "LANG=C meter --rate=5 | awk '{print $1\",\"$2}'";
  EXPECT_EQ(MeterSettings("stream", command + ",wait=1", {"wait"}).subject(), command);
}

TEST(MeterSettings, RefuseWhatIsNearlyOneOrTwice) {
  EXPECT_THROW(MeterSettings("trace", "a.csv,wiat=3", {"wait"}), Error);
  EXPECT_THROW(MeterSettings("trace", "a.csv,wait=3,wait=4", {"wait"}), Error);
  const MeterSettings settings("trace", "a.csv,wait=-1,clock=now", {"clock", "wait"});
  EXPECT_THROW(settings.not_negative("wait"), Error);
  EXPECT_THROW(settings.choice("clock", {"unix"}), Error);
  EXPECT_THROW(settings.number("clock"), Error);
}

}  // namespace
}  // namespace ampere
