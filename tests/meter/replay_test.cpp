#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "ampere/error.h"
#include "ampere/meter.h"
#include "meter/trace/trace_integrator.h"
#include "sysfs_tree.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using testing_support::SysfsTree;

std::string recording(const SysfsTree& tree, const std::string& text) {
  tree.write("trace.csv", text);
  return "replay:" + (tree.root() / "trace.csv").string();
}

std::string steps(int count, double interval_s, const std::string& power) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += std::to_string(1000 + i * interval_s) + "," + power + "\n";
  return text;
}

std::string error_of(const std::string& spec, ErrorCode code) {
  try {
    const auto meter = open_meter(spec);
    for (;;) meter->read();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
}

TEST(ReplayMeter, PlaysFromTheBeginningInRealTime) {
  const SysfsTree tree;
  const auto meter = open_meter(recording(tree, "time (s),power (W)\n" + steps(1000, 0.01, "8")));
  const Reading before = meter->read();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  const Reading after = meter->read();
  EXPECT_NEAR((after.energy.at(0) - before.energy.at(0)).value,
              8 * (after.time - before.time).count(), 1e-9);
  EXPECT_THAT(meter->info().method, HasSubstr("replayed"));
  EXPECT_EQ(meter->info().source, Source::measured);
  EXPECT_NEAR(meter->info().update_period.count(), 0.01, 1e-6);
}

TEST(ReplayMeter, PlaysTheDomainsOfOwnTraces) {
  const SysfsTree tree;
  const auto meter = open_meter(
      recording(tree, "time_s,power_w,package-0_w,gpu0_w\n" + steps(1000, 0.01, "30,10,20")));
  const MeterInfo& info = meter->info();
  ASSERT_EQ(info.domains.size(), 3u);
  EXPECT_TRUE(info.domains[0].in_total);
  EXPECT_FALSE(info.domains[1].in_total);
  EXPECT_EQ(info.domains[2].name, "gpu0");
  const Reading before = meter->read();
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const Reading after = meter->read();
  EXPECT_NEAR(
      (after.energy[2] - before.energy[2]).value / (after.energy[1] - before.energy[1]).value, 2,
      1e-6);
}

TEST(ReplayMeter, KeepsAModelledTraceModelled) {
  const SysfsTree tree;
  const auto meter = open_meter(recording(tree, "# source: modelled\n" + steps(100, 0.1, "8")));
  EXPECT_EQ(meter->info().source, Source::modelled);
  EXPECT_EQ(meter->info().sensing, Sensing::modelled);
}

TEST(ReplayMeter, EndsWithTheTrace) {
  const SysfsTree tree;
  EXPECT_THAT(error_of(recording(tree, steps(5, 0.01, "8")), ErrorCode::failed),
              HasSubstr("the trace is over (loop=yes repeats it)"));
}

TEST(ReplayMeter, RepeatsWhenAsked) {
  const SysfsTree tree;
  const auto meter =
      open_meter(recording(tree, "time,power\n" + steps(5, 0.005, "8")) + ",loop=yes");
  const Reading before = meter->read();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const Reading after = meter->read();
  EXPECT_NEAR((after.energy.at(0) - before.energy.at(0)).value,
              8 * (after.time - before.time).count(), 1e-9);
}

TEST(ReplayMeter, NeedsNoEndOfTheLastLine) {
  const SysfsTree tree;
  EXPECT_NO_THROW(open_meter(recording(tree, "0,5\n9,5"))->read());
}

TEST(ReplayMeter, OpensAndClosesAThousandTimes) {
  const SysfsTree tree;
  const std::string spec = recording(tree, steps(1000, 0.1, "8"));
  const auto open_files = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  const auto before = open_files();
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(open_meter(spec)->read().energy.size(), 1u);
  EXPECT_EQ(open_files(), before);
}

TEST(ReplayMeter, RefusesWhatCannotBePlayed) {
  const SysfsTree tree;
  EXPECT_THAT(error_of(recording(tree, ""), ErrorCode::no_meter), HasSubstr("fewer than two"));
  EXPECT_THAT(error_of(recording(tree, "0,5\n"), ErrorCode::no_meter), HasSubstr("fewer than two"));
  EXPECT_THAT(error_of(recording(tree, "0,5\n0,6\n") + ",loop=yes", ErrorCode::no_meter),
              HasSubstr("fewer than two"));
  EXPECT_THAT(error_of(recording(tree, "0,5\n0.1,x\n"), ErrorCode::usage), HasSubstr("line 2"));
  EXPECT_THAT(error_of("replay:/nowhere.csv", ErrorCode::no_meter), HasSubstr("No such file"));
  EXPECT_THAT(error_of(recording(tree, "0,5\n1,5\n") + ",loop=maybe", ErrorCode::usage),
              HasSubstr("one of: yes, no"));
}

TEST(TraceIntegrator, SumsTrapezoids) {
  TraceIntegrator integrator(std::nullopt);
  integrator.add(Seconds{1}, {Watts{2}}, Seconds{0});
  integrator.add(Seconds{2}, {Watts{4}}, Seconds{0});
  integrator.add(Seconds{4}, {Watts{4}}, Seconds{0});
  EXPECT_DOUBLE_EQ(integrator.at(Seconds{2})->energy.at(0).value, 3);
  EXPECT_DOUBLE_EQ(integrator.at(Seconds{3})->energy.at(0).value, 7);
  EXPECT_DOUBLE_EQ(integrator.period()->count(), 1.5);
}

TEST(TraceIntegrator, TakesTheMeanOfSamplesOfOneTime) {
  TraceIntegrator integrator(std::nullopt);
  for (const double watts : {1.0, 2.0, 3.0}) integrator.add(Seconds{1}, {Watts{watts}}, Seconds{0});
  integrator.add(Seconds{2}, {Watts{2}}, Seconds{0});
  EXPECT_DOUBLE_EQ(integrator.at(Seconds{2})->energy.at(0).value, 2);
}

TEST(TraceIntegrator, ForgivesGapsOnlyBeforeItIsNeeded) {
  TraceIntegrator integrator(Seconds{1});
  integrator.add(Seconds{0}, {Watts{1}}, Seconds{100});
  integrator.add(Seconds{50}, {Watts{1}}, Seconds{100});
  EXPECT_THROW(integrator.add(Seconds{101}, {Watts{1}}, Seconds{100}), Error);
}

TEST(TraceIntegrator, TakesFivePeriodsForAGap) {
  TraceIntegrator integrator(std::nullopt);
  for (int i = 0; i < 4; ++i) integrator.add(Seconds{i * 10}, {Watts{1}}, Seconds{0});
  EXPECT_NO_THROW(integrator.add(Seconds{79}, {Watts{1}}, Seconds{0}));
  EXPECT_THROW(integrator.add(Seconds{130}, {Watts{1}}, Seconds{0}), Error);
}

TEST(TraceIntegrator, RemembersLittleOfAFastTrace) {
  TraceIntegrator integrator(std::nullopt);
  for (int i = 0; i <= 1'000'000; ++i) {
    integrator.add(Seconds{i * 1e-5}, {Watts{3}}, Seconds{0});
    if (i % 1000 == 0) integrator.forget_before(Seconds{i * 1e-5 - 1});
  }
  EXPECT_NEAR(integrator.at(Seconds{9.5})->energy.at(0).value, 28.5, 1e-6);
  EXPECT_GT(*integrator.begin(), Seconds{8.9});
}

}  // namespace
}  // namespace ampere
