#include "measure/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "support/stepping_meter.h"

namespace ampere {
namespace {

using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing_support::SteppingMeter;

constexpr Seconds kPeriod{0.05};

MeasureOptions sleeping(const std::string& seconds) { return {.command = {"sleep", seconds}}; }

TEST(MeasureCommand, InterpolatesAtItsStartAndEnd) {
  const CommandUsage result =
      measure_command(std::make_shared<SteppingMeter>(kPeriod), sleeping("0.13"));
  ASSERT_THAT(result.runs, SizeIs(1));
  const MeasuredRun& run = result.runs[0];
  ASSERT_TRUE(run.usage) << run.unknown;
  EXPECT_NEAR(run.usage->total.value, 100 * run.usage->time.count(), 1e-6);
  EXPECT_EQ(result.exit_status(), 0);
}

TEST(MeasureCommand, SaysTheErrorOfAShortWindow) {
  const CommandUsage result =
      measure_command(std::make_shared<SteppingMeter>(kPeriod), sleeping("0.2"));
  EXPECT_THAT(result.warnings,
              Contains(ContainsRegex("± [0-9.]+ %: 0.2[0-9]* s is [0-9.]+ periods of stepping")));
  const CommandUsage long_enough =
      measure_command(std::make_shared<SteppingMeter>(Seconds{0.02}), sleeping("0.3"));
  EXPECT_THAT(long_enough.warnings, IsEmpty());
}

TEST(MeasureCommand, KnowsNothingOfOneShorterThanThePeriod) {
  const CommandUsage result =
      measure_command(std::make_shared<SteppingMeter>(Seconds{0.3}), {.command = {"true"}});
  ASSERT_THAT(result.runs, SizeIs(1));
  EXPECT_FALSE(result.runs[0].usage);
  EXPECT_THAT(result.runs[0].unknown, HasSubstr("shorter than the period"));
  EXPECT_EQ(result.exit_status(), 0) << "the command itself succeeded";
}

TEST(MeasureCommand, KeepsWhatIsKnownWhenTheMeterVanishes) {
  const auto meter = std::make_shared<SteppingMeter>(kPeriod);
  const std::jthread vanishing([&meter] {
    std::this_thread::sleep_for(Seconds{0.25});
    meter->fails = true;
  });
  MeasureOptions options = sleeping("0.4");
  options.repeat = 3;
  const CommandUsage result = measure_command(meter, options);
  ASSERT_THAT(result.runs, SizeIs(1)) << "there is no use in going on";
  EXPECT_FALSE(result.runs[0].usage);
  EXPECT_THAT(result.runs[0].unknown, HasSubstr("it is gone"));
  ASSERT_TRUE(result.runs[0].known_part);
  EXPECT_GT(result.runs[0].known_part->total.value, 0);
  EXPECT_LT(result.runs[0].known_part->time, result.runs[0].time);
  EXPECT_EQ(result.exit_status(), 1);
}

TEST(MeasureCommand, WantsAnIdleTimeThatTheMeterCanSee) {
  MeasureOptions options = sleeping("0");
  options.idle = Seconds{0.06};
  EXPECT_THROW(measure_command(std::make_shared<SteppingMeter>(kPeriod), options), Error);
}

TEST(NetUsage, IsWhatWasUsedBeyondIdling) {
  const Usage gross{Seconds{2}, {Joules{100}, Joules{10}}, Joules{110}, {}};
  const Usage idle{Seconds{10}, {Joules{200}, Joules{100}}, Joules{300}, {}};
  const NetUsage net = net_of(gross, idle);
  EXPECT_EQ(net.total, Joules{50});
  EXPECT_EQ(net.energy, (std::vector<Joules>{{60}, {-10}})) << "negative as it is";
}

}  // namespace
}  // namespace ampere
