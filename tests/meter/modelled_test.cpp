#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <ctime>

#include "ampere/error.h"
#include "ampere/meter.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;

std::string usage_error(const std::string& spec) {
  try {
    open_meter(spec);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
    return error.what();
  }
  ADD_FAILURE() << spec << " opened";
  return "";
}

void burn(double cpu_seconds) {
  const std::clock_t end = std::clock() + static_cast<std::clock_t>(cpu_seconds * CLOCKS_PER_SEC);
  while (std::clock() < end) {
  }
}

double joules_of_burning(const std::string& spec, double cpu_seconds) {
  const auto meter = open_meter(spec);
  const Joules before = total(meter->info(), meter->read());
  burn(cpu_seconds);
  return (total(meter->info(), meter->read()) - before).value;
}

TEST(ModelledMeter, CountsProcessorSeconds) {
  EXPECT_NEAR(joules_of_burning("modelled:static=0,core=100", 0.05), 5, 2);
}

TEST(ModelledMeter, CountsWallTime) {
  const auto meter = open_meter("modelled:static=10,core=0");
  const Reading before = meter->read();
  burn(0.02);
  const Reading after = meter->read();
  EXPECT_NEAR((after.energy.at(0) - before.energy.at(0)).value,
              10 * (after.time - before.time).count(), 1e-9);
}

TEST(ModelledMeter, CountsACommandOnceItWasWaitedFor) {
  const auto meter = open_meter("modelled:static=0,core=100");
  const Joules before = meter->read().energy.at(0);
  const pid_t child = fork();
  if (child == 0) {
    burn(0.1);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_GT((meter->read().energy.at(0) - before).value, 5);
}

TEST(ModelledMeter, IsNeverCalledMeasured) {
  const auto meter = open_meter("modelled");
  EXPECT_EQ(meter->info().source, Source::modelled);
  EXPECT_EQ(meter->info().method, "5 W + 10 W x cpu time");
}

TEST(ModelledMeter, IsNamedByTheSpecThatOpensItAgain) {
  EXPECT_EQ(open_meter("modelled:static=5,core=12")->info().name, "modelled:static=5,core=12");
  EXPECT_EQ(open_meter("modelled")->info().name, "modelled");
}

TEST(ModelledMeter, RefusesWhatItDoesNotUnderstand) {
  EXPECT_THAT(usage_error("modelled:statik=5"), HasSubstr("did you mean 'static'"));
  EXPECT_THAT(usage_error("modelled:core=-1"), HasSubstr("negative"));
  EXPECT_THAT(usage_error("modelled:core=many"), HasSubstr("'many' is not a number"));
  EXPECT_THAT(usage_error("modelled:core"), HasSubstr("core"));
  EXPECT_THAT(usage_error("modelled:core=inf"), HasSubstr("core"));
  EXPECT_THAT(usage_error("modelled:static=5,,"), HasSubstr("not one of its settings"));
  EXPECT_THAT(usage_error("modelled:static=0,core=0"), HasSubstr("draws nothing"));
}

TEST(OpenMeter, SuggestsTheNearestName) {
  EXPECT_THAT(usage_error("nvlm:0"), HasSubstr("did you mean 'nvml'"));
  EXPECT_THAT(usage_error(""), HasSubstr("there are: nvml, modelled"));
  EXPECT_THAT(usage_error(":0"), HasSubstr("no meter is called ''"));
}

TEST(ProbeMeters, AlwaysHasTheModel) {
  const auto probes = probe_meters();
  ASSERT_FALSE(probes.empty());
  EXPECT_EQ(probes.back().name, "modelled");
  EXPECT_TRUE(probes.back().available);
  for (const MeterProbe& probe : probes) {
    EXPECT_FALSE(probe.reason.empty());
    EXPECT_TRUE(probe.available || !probe.remedies.empty()) << probe.name;
  }
}

TEST(Source, TravelsAsText) {
  for (const Source source : {Source::measured, Source::modelled, Source::simulated})
    EXPECT_EQ(parse_source(to_string(source)), source);
  EXPECT_THROW(parse_source("guessed"), Error);
}

TEST(Total, LeavesOverlappingDomainsOut) {
  MeterInfo info;
  info.domains = {{"package", true}, {"core", false}, {"gpu", true}};
  EXPECT_EQ(total(info, {Seconds{0}, {Joules{3}, Joules{100}, Joules{4}}}).value, 7);
}

}  // namespace
}  // namespace ampere
