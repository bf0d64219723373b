#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "ampere/error.h"
#include "fake_rapl.h"
#include "meter/rapl/rapl_zones.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing_support::FakeRapl;

const std::string kPmuFolder = "sys/bus/event_source/devices/power/";

class Perf : public ::testing::Test {
 protected:
  std::vector<std::string> names() {
    std::vector<std::string> names;
    const RaplZones found = find_perf_zones(fake_.options());
    for (const CounterZone& zone : found.zones)
      names.push_back(zone.domain.name + (zone.domain.in_total ? " (total)" : ""));
    return names;
  }

  ErrorCode find_error(std::string* message = nullptr) {
    try {
      find_perf_zones(fake_.options());
    } catch (const Error& error) {
      if (message != nullptr) *message = error.what();
      return error.code();
    }
    ADD_FAILURE() << "found";
    return ErrorCode::failed;
  }

  void put_cpu(int cpu, int package, int die) {
    const std::string topology = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    fake_.tree.write(topology + "physical_package_id", std::to_string(package) + "\n");
    fake_.tree.write(topology + "die_id", std::to_string(die) + "\n");
  }

  FakeRapl fake_;
};

TEST_F(Perf, CountsEveryPackage) {
  fake_.add_pmu("0,28", {"energy-pkg", "energy-ram"});
  EXPECT_THAT(names(), ElementsAre("package-0 (total)", "package-1 (total)", "dram-0 (total)",
                                   "dram-1 (total)"));
}

TEST_F(Perf, LeavesPartsAndPlatformOutOfTheTotal) {
  fake_.add_pmu("0", {"energy-pkg", "energy-cores", "energy-gpu", "energy-psys"});
  EXPECT_THAT(names(), ElementsAre("package-0 (total)", "core-0", "uncore-0", "psys"));
}

TEST_F(Perf, AsksForThePlatformOnce) {
  fake_.add_pmu("0-1", {"energy-pkg", "energy-psys"});
  EXPECT_THAT(names(), ElementsAre("package-0 (total)", "package-1 (total)", "psys"));
}

TEST_F(Perf, CallsPackagesAsTheKernelDoes) {
  fake_.add_pmu("0,4", {"energy-pkg"});
  put_cpu(0, 1, 0);
  put_cpu(4, 0, 0);
  EXPECT_THAT(names(), ElementsAre("package-0 (total)", "package-1 (total)"));
}

TEST_F(Perf, TellsTheDiesOfAPackageApart) {
  fake_.add_pmu("0,4,8", {"energy-pkg"});
  put_cpu(0, 0, 0);
  put_cpu(4, 0, 1);
  put_cpu(8, 1, 0);
  EXPECT_THAT(names(), ElementsAre("package-0-die-0 (total)", "package-0-die-1 (total)",
                                   "package-1 (total)"));
}

TEST_F(Perf, CountsADieOnceThoughTwoOfItsCpusAnswer) {
  fake_.add_pmu("0-3", {"energy-pkg"});
  for (int cpu = 0; cpu < 4; ++cpu) put_cpu(cpu, 0, 0);
  EXPECT_THAT(names(), ElementsAre("package-0 (total)"));
}

TEST_F(Perf, CountsJoulesWithTheScaleOfTheTree) {
  fake_.add_pmu("0", {"energy-pkg"});
  const auto meter = open_rapl_meter("perf", fake_.options());
  const Reading before = meter->read();
  fake_.time_s = fake_.time_s + 4;
  EXPECT_NEAR((meter->read().energy.at(0) - before.energy.at(0)).value, 200, 0.1);
  fake_.tree.write(kPmuFolder + "events/energy-pkg.scale", "4.6566128730773925781250e-10\n");
  EXPECT_NEAR(find_perf_zones(fake_.options()).zones.at(0).joules_per_count, 4.6566e-10, 1e-14);
}

TEST_F(Perf, IsRefusedWithoutPermission) {
  fake_.add_pmu("0", {"energy-pkg"});
  for (const int error : {EACCES, EPERM}) {
    fake_.perf_open_error = error;
    std::string message;
    EXPECT_EQ(find_error(&message), ErrorCode::permission);
    EXPECT_THAT(message, HasSubstr("perf_event_open of power/energy-pkg/ on cpu 0"));
  }
}

TEST_F(Perf, IsNotThereWithoutSupport) {
  EXPECT_EQ(find_error(), ErrorCode::no_meter);
  fake_.add_pmu("0", {"energy-pkg"});
  for (const int error : {ENOENT, EOPNOTSUPP, ENODEV}) {
    fake_.perf_open_error = error;
    EXPECT_EQ(find_error(), ErrorCode::no_meter);
  }
  fake_.perf_open_error = EMFILE;
  EXPECT_EQ(find_error(), ErrorCode::failed);
}

TEST_F(Perf, NeedsAnEventOfPackagesOrPlatform) {
  fake_.add_pmu("0", {"energy-ram"});
  std::string message;
  EXPECT_EQ(find_error(&message), ErrorCode::no_meter);
  EXPECT_THAT(message, HasSubstr("no energy event"));
}

TEST_F(Perf, RefusesAnotherUnit) {
  fake_.add_pmu("0", {"energy-pkg"});
  fake_.tree.write(kPmuFolder + "events/energy-pkg.unit", "Watts\n");
  std::string message;
  EXPECT_EQ(find_error(&message), ErrorCode::failed);
  EXPECT_THAT(message, AllOf(HasSubstr("energy-pkg.unit"), HasSubstr("Watts")));
}

TEST_F(Perf, RefusesGarbage) {
  const std::pair<const char*, std::vector<const char*>> kGarbage[] = {
      {"events/energy-pkg.scale", {"", "0", "-1e-9", "nan", "inf", "1e-9x", "1e-999"}},
      {"events/energy-pkg", {"event=2", "umask=0x1", "event=0x", "event=0x2,umask=1", "event=0xz"}},
      {"cpumask", {"", "a", "0-", "-1", "3-1", "0,,1", "0-99999999", "99999999999999999999"}},
      {"type", {"", "x", "-1"}},
  };
  for (const auto& [file, texts] : kGarbage) {
    for (const char* text : texts) {
      fake_.add_pmu("0", {"energy-pkg"});
      fake_.tree.write(kPmuFolder + file, text);
      std::string message;
      EXPECT_EQ(find_error(&message), ErrorCode::failed) << file << " '" << text << "'";
      EXPECT_THAT(message, HasSubstr(file));
    }
  }
}

TEST_F(Perf, LeavesOutAPartItDoesNotUnderstand) {
  fake_.add_pmu("0", {"energy-pkg", "energy-gpu"});
  fake_.tree.write(kPmuFolder + "events/energy-gpu.unit", "Calories\n");
  const RaplZones found = find_perf_zones(fake_.options());
  EXPECT_EQ(found.zones.size(), 1u);
  EXPECT_THAT(found.caveats, ElementsAre(HasSubstr("Calories")));
}

TEST_F(Perf, StopsWhenACpuGoesOffline) {
  fake_.add_pmu("0", {"energy-pkg"});
  const auto meter = open_rapl_meter("perf", fake_.options());
  EXPECT_NO_THROW(meter->read());
  fake_.perf_offline = true;
  try {
    meter->read();
    ADD_FAILURE() << "it could be read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("cpu 0"), HasSubstr("offline")));
  }
}

TEST_F(Perf, StopsWhenTheKernelGoesOnReturningTheSameCount) {
  fake_.add_pmu("0", {"energy-pkg"});
  const auto meter = open_rapl_meter("perf", fake_.options());
  meter->read();
  fake_.halted_at_s = fake_.time_s.load();
  EXPECT_NO_THROW(meter->read());
  fake_.time_s = fake_.time_s + 10;
  EXPECT_THROW(meter->read(), Error);
}

TEST_F(Perf, ClosesWhatItOpened) {
  fake_.add_pmu("0-3", {"energy-pkg", "energy-ram", "energy-psys"});
  {
    const auto meter = open_rapl_meter("perf", fake_.options());
    EXPECT_EQ(fake_.open_events, 9);
  }
  EXPECT_EQ(fake_.open_events, 0);
  fake_.tree.write(kPmuFolder + "events/energy-pkg", "garbage");
  find_error();
  EXPECT_EQ(fake_.open_events, 0);
}

// On whatever machine this runs: a descriptor, or the reason as a negative number.
TEST(PerfCalls, AnswerWithADescriptorOrAnErrno) {
  const PerfCalls calls = system_perf_calls();
  const int fd = calls.open(0xffffff, 0, 0);
  EXPECT_LT(fd, 0);
  EXPECT_GT(fd, -4096);
  std::uint64_t count = 0;
  EXPECT_EQ(calls.read(-1, count), -EBADF);
}

}  // namespace
}  // namespace ampere
