#include "meter/modelled/modelled.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <ctime>

#include "ampere/error.h"
#include "ampere/meter.h"
#include "sysfs_tree.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using testing_support::SysfsTree;

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

std::string cpuinfo(const std::string& name, int cores) {
  std::string text;
  for (int i = 0; i < cores; ++i)
    text += "processor : " + std::to_string(i) + "\nmodel name : " + name + "\nphysical id : 0\n\n";
  return text;
}

std::string method_of(const SysfsTree& proc, const std::string& argument) {
  return open_modelled_meter(argument, {proc.root()})->info().method;
}

TEST(ModelledMeter, IsNeverCalledMeasured) {
  const auto meter = open_meter("modelled");
  EXPECT_EQ(meter->info().source, Source::modelled);
  EXPECT_EQ(meter->info().sensing, Sensing::modelled);
}

TEST(ModelledMeter, SaysThatItsWattsAreAssumed) {
  const SysfsTree proc;
  EXPECT_EQ(method_of(proc, ""), "5 W + 10 W x cpu time (assumed)");
  EXPECT_EQ(method_of(proc, "core=12"), "5 W + 12 W x cpu time (given)");
  proc.write("cpuinfo", cpuinfo("AMD EPYC", 2));
  EXPECT_EQ(method_of(proc, ""), "5 W + 10 W x cpu time (assumed)");
}

TEST(ModelledMeter, LooksTheProcessorUp) {
  const SysfsTree proc;
  proc.write("cpuinfo", cpuinfo("AMD Ryzen 5 3600 6-Core Processor", 12));
  EXPECT_EQ(method_of(proc, ""),
            "5 W + 5 W x cpu time (TDP 65 W of AMD Ryzen 5 3600 6-Core Processor, looked up)");
  EXPECT_THAT(method_of(proc, "static=29"), HasSubstr("29 W + 3 W x cpu time"));
  EXPECT_EQ(method_of(proc, "core=12"), "5 W + 12 W x cpu time (given)");
}

TEST(ModelledMeter, SharesTheTdpAmongAllCoresOfTheProcessor) {
  const SysfsTree proc;
  proc.write("cpuinfo", cpuinfo("AMD Ryzen 5 3600 6-Core Processor", 2));
  EXPECT_THAT(method_of(proc, ""), HasSubstr("5 W + 5 W x")) << "of a virtual machine's two";
}

TEST(ModelledMeter, TakesAGivenTdp) {
  const SysfsTree proc;
  proc.write("cpuinfo", cpuinfo("Something", 4));
  EXPECT_EQ(method_of(proc, "tdp=65"),
            "5 W + 15 W x cpu time (TDP 65 W over 4 logical cores, given)");
  EXPECT_THAT(method_of(proc, "tdp=8"), HasSubstr("2 W + 1.5 W x cpu time"));
  EXPECT_THAT(method_of(proc, "tdp=65,static=25"), HasSubstr("25 W + 10 W x cpu time"));
}

TEST(ModelledMeter, CountsTheWholeMachineLive) {
  const SysfsTree proc;
  const double tick_s = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  proc.write("stat", "cpu  100 10 50 9999 88 7 3 5555 60 5\ncpu0 1 1 1\n");
  const auto meter = open_modelled_meter("static=0,core=10,cpu=machine", {proc.root()});
  EXPECT_THAT(meter->info().method, HasSubstr("of the whole machine"));
  EXPECT_EQ(meter->read().energy.at(0).value, 0);
  proc.write("stat", "cpu  200 20 60 19999 99 8 4 9999 70 6\n");
  EXPECT_NEAR(meter->read().energy.at(0).value, 10 * 122 * tick_s, 1e-9) << "no idle, no steal";
  proc.write("stat", "cpu  150 20 60 19999 99 8 4 9999 70 6\n");
  EXPECT_NEAR(meter->read().energy.at(0).value, 10 * 122 * tick_s, 1e-9) << "never backwards";
}

TEST(ModelledMeter, RefusesTimesItCannotRead) {
  const SysfsTree proc;
  EXPECT_THROW(open_modelled_meter("cpu=machine", {proc.root()}), Error);
  for (const char* text : {"", "cpu", "cpu 1 2 3", "cpu a b c d e f g h", "cpu -1 0 0 0 0 0 0 0",
                           "intr 1 2 3 4 5 6 7 8", "cpu 99999999999999999999999 0 0 0 0 0 0"}) {
    proc.write("stat", text);
    EXPECT_THROW(open_modelled_meter("cpu=machine", {proc.root()}), Error) << text;
  }
}

TEST(ModelledMeter, SeesARunningChildInTheWholeMachine) {
  const auto meter = open_meter("modelled:static=0,core=100,cpu=machine");
  const Joules before = meter->read().energy.at(0);
  const pid_t child = fork();
  if (child == 0) {
    burn(0.1);
    pause();
  }
  // It sleeps once it has burnt, and is waited for only then.
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  Joules used;
  while (used.value < 5 && std::chrono::steady_clock::now() < give_up)
    used = meter->read().energy.at(0) - before;
  EXPECT_GE(used.value, 5);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
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
  EXPECT_THAT(usage_error("modelled:tdp=0"), HasSubstr("less than the TDP"));
  EXPECT_THAT(usage_error("modelled:tdp=65,static=65"), HasSubstr("less than the TDP"));
  EXPECT_THAT(usage_error("modelled:tdp=65,core=3"), HasSubstr("give one"));
  EXPECT_THAT(usage_error("modelled:cpu=all"), HasSubstr("process, machine"));
  EXPECT_THAT(usage_error("modelled:core=1,core=2"), HasSubstr("twice"));
}

TEST(OpenMeter, SuggestsTheNearestName) {
  EXPECT_THAT(usage_error("nvlm:0"), HasSubstr("did you mean 'nvml'"));
  EXPECT_THAT(usage_error(""), HasSubstr("there are: nvml, "));
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
