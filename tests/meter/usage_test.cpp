#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "ampere/meter.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

MeterInfo two_counters() {
  MeterInfo info;
  info.name = "two";
  info.domains = {{"package", true, "machine/package", ""},
                  {"core", false, "machine/package/core", ""},
                  {"dram", true, "machine/dram", ""}};
  info.update_period = Seconds{0.1};
  info.resolution = Joules{0.5};
  return info;
}

Reading at(double time_s, std::vector<Joules> energy) {
  return {Seconds{time_s}, std::move(energy)};
}

Error error_of(const MeterInfo& info, const Reading& before, const Reading& after) {
  try {
    used(info, before, after);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "a usage was found";
  return Error(ErrorCode::failed, "");
}

TEST(Usage, AddsTheDomainsThatDoNotOverlap) {
  const Usage usage = used(two_counters(), at(1, {{10}, {5}, {1}}), at(3, {{110}, {65}, {21}}));
  EXPECT_EQ(usage.total, Joules{120});
  EXPECT_EQ(usage.energy, (std::vector<Joules>{{100}, {60}, {20}}));
  EXPECT_EQ(usage.time, Seconds{2});
  EXPECT_EQ(usage.mean_power(), Watts{60});
}

TEST(Usage, IsUncertainByThePeriodAndTheResolution) {
  const Usage usage = used(two_counters(), at(0, {{0}, {0}, {0}}), at(2, {{100}, {50}, {100}}));
  EXPECT_DOUBLE_EQ(usage.uncertainty.value(), 0.1 / 2 + 2 * 0.5 / 200);
}

TEST(Usage, OfManyWindowsIsUncertainByTheirRoot) {
  const Usage usage = used_in(two_counters(), Seconds{16}, {{800}, {50}, {800}}, 16);
  EXPECT_DOUBLE_EQ(usage.uncertainty.value(), 4 * 0.1 / 16 + 2 * 0.5 / 1600);
}

TEST(Usage, OfAModelHasNoKnownError) {
  MeterInfo info = two_counters();
  info.source = Source::modelled;
  EXPECT_FALSE(used(info, at(0, {{0}, {0}, {0}}), at(2, {{1}, {1}, {1}})).uncertainty);
}

TEST(Usage, IsNeverZeroForACounterThatDidNotMove) {
  const Error stuck = error_of(two_counters(), at(0, {{7}, {1}, {7}}), at(3, {{7}, {1}, {7}}));
  EXPECT_EQ(stuck.code(), ErrorCode::failed);
  EXPECT_THAT(stuck.what(), AllOf(HasSubstr("two"), HasSubstr("stuck"), HasSubstr("3 s")));

  const Error early = error_of(two_counters(), at(0, {{7}, {1}, {7}}), at(0.02, {{7}, {1}, {7}}));
  EXPECT_EQ(early.code(), ErrorCode::failed);
  EXPECT_THAT(early.what(), AllOf(HasSubstr("shorter than its period of 0.1 s")));
}

TEST(Usage, NamesTheOneCounterOfTheTotalThatIsStuck) {
  const Error error = error_of(two_counters(), at(0, {{0}, {0}, {7}}), at(3, {{9}, {1}, {7}}));
  EXPECT_THAT(error.what(), HasSubstr("dram is stuck"));
  MeterInfo sensors = two_counters();
  sensors.sensing = Sensing::sampled;
  EXPECT_EQ(used(sensors, at(0, {{0}, {0}, {7}}), at(3, {{9}, {1}, {7}})).total, Joules{9})
      << "a sensor may say 0 W";
}

TEST(Usage, RefusesReadingsInTheWrongOrder) {
  const Error error = error_of(two_counters(), at(2, {{9}, {9}, {9}}), at(1, {{1}, {1}, {1}}));
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_THAT(error.what(), HasSubstr("1 s after"));
}

TEST(Usage, RefusesReadingsOfAnotherMeter) {
  EXPECT_EQ(error_of(two_counters(), at(0, {{0}}), at(1, {{1}})).code(), ErrorCode::usage);
  EXPECT_EQ(error_of(two_counters(), at(0, {{0}, {0}, {0}}), at(1, {})).code(), ErrorCode::usage);
}

TEST(Usage, RefusesACounterThatFell) {
  const Error error = error_of(two_counters(), at(0, {{9}, {5}, {0}}), at(1, {{99}, {2}, {9}}));
  EXPECT_THAT(error.what(), HasSubstr("core counted down by 3 J"));
}

TEST(Usage, RefusesEnergyInNoTime) {
  EXPECT_EQ(error_of(two_counters(), at(1, {{0}, {0}, {0}}), at(1, {{1}, {1}, {1}})).code(),
            ErrorCode::failed);
}

}  // namespace
}  // namespace ampere
