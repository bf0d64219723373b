#include "meter/rapl/rapl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "ampere/error.h"
#include "fake_rapl.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing_support::FakeRapl;

class Rapl : public ::testing::Test {
 protected:
  std::unique_ptr<Meter> open(std::string_view way = "") {
    return open_rapl_meter(way, fake_.options());
  }

  ErrorCode open_error(std::string_view way, std::string* message = nullptr) {
    try {
      open(way);
    } catch (const Error& error) {
      if (message != nullptr) *message = error.what();
      return error.code();
    }
    ADD_FAILURE() << "rapl:" << way << " opened";
    return ErrorCode::failed;
  }

  MeterProbe probe() { return probe_rapl(fake_.options()).at(0); }

  FakeRapl fake_;
};

TEST_F(Rapl, PrefersPerf) {
  fake_.add_desktop();
  fake_.add_pmu("0", {"energy-pkg", "energy-cores"});
  const auto meter = open();
  EXPECT_GT(fake_.open_events, 0);
  EXPECT_EQ(meter->info().domains.size(), 2u) << "package and cores: perf has no uncore here";
  EXPECT_EQ(meter->info().name, "rapl");
  EXPECT_EQ(meter->info().source, Source::measured);
  EXPECT_EQ(meter->info().sensing, Sensing::counter);
}

TEST_F(Rapl, FallsBackToPowercapWherePerfIsRefused) {
  fake_.add_desktop();
  fake_.add_pmu("0", {"energy-pkg"});
  fake_.perf_open_error = EACCES;
  EXPECT_EQ(open()->info().domains.size(), 4u);
  EXPECT_THAT(open()->info().caveats, IsEmpty()) << "the counters are the same";
}

TEST_F(Rapl, OpensTheWayThatIsAskedForAndNoOther) {
  fake_.add_desktop();
  fake_.add_pmu("0", {"energy-pkg"});
  EXPECT_EQ(open("perf")->info().name, "rapl:perf");
  EXPECT_EQ(open("powercap")->info().name, "rapl:powercap");
  EXPECT_EQ(open("powercap")->info().domains.size(), 4u);
  fake_.perf_open_error = EACCES;
  EXPECT_EQ(open_error("perf"), ErrorCode::permission);
}

TEST_F(Rapl, KnowsNoOtherWay) {
  std::string message;
  EXPECT_EQ(open_error("pref", &message), ErrorCode::usage);
  EXPECT_THAT(message, HasSubstr("did you mean 'perf'"));
}

TEST_F(Rapl, SaysWhenPerfAndPowercapAgree) {
  fake_.add_desktop();
  fake_.add_pmu("0", {"energy-pkg"});
  EXPECT_THAT(open()->info().caveats, IsEmpty());
  EXPECT_THAT(probe().reason, HasSubstr("agree within 0.0 %"));
}

TEST_F(Rapl, SaysWhenPerfAndPowercapDisagree) {
  fake_.add_desktop();
  fake_.add_pmu("0", {"energy-pkg"});
  fake_.perf_scale = 0.8;
  for (const char* way : {"", "perf", "powercap"})
    EXPECT_THAT(open(way)->info().caveats, Contains(HasSubstr("disagree by 20 %"))) << way;
  EXPECT_THAT(probe().reason, HasSubstr("perf and powercap disagree by 20 %"));
  fake_.perf_scale = 0.96;
  EXPECT_THAT(open()->info().caveats, IsEmpty());
}

TEST_F(Rapl, UsesPowercapWherePerfIsStuckAndSaysSo) {
  fake_.add_desktop();
  fake_.add_pmu("0", {"energy-pkg"});
  fake_.perf_stuck = true;
  const auto meter = open();
  EXPECT_EQ(meter->info().domains.size(), 4u);
  EXPECT_THAT(meter->info().caveats,
              Contains(AllOf(HasSubstr("perf is not used"), HasSubstr("package-0 is stuck"))));
  EXPECT_THAT(probe().reason, HasSubstr("through powercap; perf is not used"));
  EXPECT_EQ(open_error("perf"), ErrorCode::no_meter) << "asked for, it is not replaced";
}

TEST_F(Rapl, UsesPerfWherePowercapIsStuckAndSaysSo) {
  fake_.add_desktop();
  fake_.add_pmu("0", {"energy-pkg"});
  fake_.stuck_entries = {"intel-rapl:0"};
  const auto meter = open();
  EXPECT_EQ(meter->info().domains.size(), 1u);
  EXPECT_THAT(meter->info().caveats, Contains(HasSubstr("powercap is not used")));
}

TEST_F(Rapl, CallsACounterThatNeverMovesStuckAndNotZero) {
  fake_.add_desktop();
  fake_.stuck_entries = {"intel-rapl:0"};
  std::string message;
  EXPECT_EQ(open_error("", &message), ErrorCode::no_meter);
  EXPECT_THAT(message, HasSubstr("package-0 is stuck"));
  EXPECT_THAT(message, Not(HasSubstr("modules"))) << "they are there";
}

TEST_F(Rapl, DoesNotMeasureOnePackageOfTwo) {
  fake_.add_server();
  fake_.stuck_entries = {"intel-rapl:1"};
  std::string message;
  EXPECT_EQ(open_error("", &message), ErrorCode::no_meter);
  EXPECT_THAT(message, HasSubstr("package-1 is stuck"));
}

TEST_F(Rapl, LeavesOutMemoryThatDoesNotCountAndSaysSo) {
  fake_.add_server();
  fake_.stuck_entries = {"intel-rapl:1:0"};
  const auto meter = open();
  EXPECT_EQ(meter->info().domains.size(), 3u);
  EXPECT_THAT(meter->info().caveats, Contains(HasSubstr("dram-1 is stuck")));
}

TEST_F(Rapl, ExplainsAVirtualMachine) {
  fake_.tree.write("proc/cpuinfo",
                   "processor : 0\nvendor_id : GenuineIntel\nflags : fpu hypervisor lahf_lm\n");
  fake_.tree.write(".dockerenv", "");
  std::string message;
  EXPECT_EQ(open_error("", &message), ErrorCode::no_meter);
  EXPECT_THAT(message, HasSubstr("virtual machine"));
  EXPECT_THAT(message, HasSubstr("sys/class/powercap"));
  EXPECT_THAT(message, HasSubstr("devices/power/type"));
}

TEST_F(Rapl, ExplainsAContainer) {
  fake_.tree.write("proc/cpuinfo", "vendor_id : AuthenticAMD\nflags : fpu nohypervisor\n");
  fake_.tree.write("proc/1/cgroup", "0::/system.slice/docker-1234.scope\n");
  EXPECT_THAT(probe().reason, HasSubstr("container"));
  EXPECT_THAT(probe().remedies.at(0), HasSubstr("--cap-add PERFMON"));
}

TEST_F(Rapl, ExplainsAnotherProcessor) {
  fake_.tree.write("proc/cpuinfo", "processor : 0\nFeatures : fp asimd\n");
  fake_.tree.write(".dockerenv", "");
  EXPECT_THAT(probe().reason, HasSubstr("neither Intel's nor AMD's"));
}

TEST_F(Rapl, ExplainsAMissingModule) {
  fake_.tree.write("proc/cpuinfo", "vendor_id : GenuineIntel\nflags : fpu\n");
  EXPECT_THAT(probe().remedies.at(0), HasSubstr("modprobe"));
}

TEST_F(Rapl, NeverThrowsFromAProbe) {
  EXPECT_FALSE(probe().available);
  fake_.add_desktop();
  fake_.add_pmu("0", {"energy-pkg"});
  EXPECT_TRUE(probe().available);
  EXPECT_THAT(probe().reason, HasSubstr("package-0 through perf"));
  fake_.perf_offline = true;
  fake_.write_energy("intel-rapl:0", "garbage");
  EXPECT_FALSE(probe().available);
  EXPECT_THAT(probe().reason, HasSubstr("'garbage' is not the whole number"));
  EXPECT_THAT(probe().remedies, Not(IsEmpty()));
}

TEST_F(Rapl, RanksTheRemediesOfARefusal) {
  fake_.add_pmu("0", {"energy-pkg"});
  fake_.add_desktop();
  fake_.tree.write("proc/sys/kernel/perf_event_paranoid", "2\n");
  fake_.perf_open_error = EACCES;
  RaplOptions options = fake_.options();
  options.read_count = [](const sysfs::Path& file) -> std::uint64_t {
    throw Error(ErrorCode::permission, file.string() + ": Permission denied (errno 13)");
  };
  const MeterProbe probe = probe_rapl(options).at(0);
  EXPECT_FALSE(probe.available);
  EXPECT_THAT(probe.reason,
              AllOf(HasSubstr("kernel.perf_event_paranoid is 2"),
                    HasSubstr("power/energy-pkg/ on cpu 0: Permission denied (errno 13)"),
                    HasSubstr("intel-rapl:0/energy_uj: Permission denied (errno 13)")));
  EXPECT_THAT(probe.remedies,
              ElementsAre(HasSubstr("setcap cap_perfmon=ep"), HasSubstr("perf_event_paranoid=0"),
                          HasSubstr("chgrp rapl"), HasSubstr("root")));
}

TEST_F(Rapl, LeavesNothingOpen) {
  fake_.add_desktop();
  fake_.add_pmu("0", {"energy-pkg"});
  const auto descriptors = [] { return sysfs::list("/proc/self/fd").size(); };
  const std::size_t before = descriptors();
  for (int i = 0; i < 50; ++i) {
    const auto meter = open(i % 2 == 0 ? "" : "powercap");
    meter->read();
  }
  EXPECT_EQ(fake_.open_events, 0);
  EXPECT_EQ(descriptors(), before);
}

TEST(RaplThreads, EightReadOneMeter) {
  FakeRapl fake(FakeRapl::Clock::real);
  fake.add_server();
  fake.add_pmu("0-1", {"energy-pkg", "energy-ram"});
  for (const char* way : {"perf", "powercap"}) {
    RaplOptions options = fake.options();
    options.counter.look_every = Seconds{0.001};
    const auto meter = open_rapl_meter(way, options);
    std::atomic<int> falls{0};
    std::vector<std::thread> readers;
    for (int i = 0; i < 8; ++i)
      readers.emplace_back([&] {
        Reading before = meter->read();
        for (int j = 0; j < 100; ++j) {
          const Reading now = meter->read();
          if (now.time < before.time || now.energy < before.energy) ++falls;
          before = now;
        }
      });
    for (std::thread& reader : readers) reader.join();
    EXPECT_EQ(falls, 0) << way;
  }
}

TEST_F(Rapl, IsAMeterLikeAnyOther) {
  try {
    const auto meter = open_meter("rapl");
    EXPECT_EQ(meter->info().name, "rapl");
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("rapl: ")) << "this machine has none, or not for us";
  }
  bool probed = false;
  const auto probes = probe_meters();
  for (const MeterProbe& each : probes) probed |= each.name == "rapl";
  EXPECT_TRUE(probed);
}

}  // namespace
}  // namespace ampere
