#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "ampere/error.h"
#include "fake_rapl.h"
#include "meter/rapl/rapl_zones.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_support::FakeRapl;

struct DomainRow {
  std::string name, place;
  bool in_total;
  friend bool operator==(const DomainRow&, const DomainRow&) = default;
};
void PrintTo(const DomainRow& row, std::ostream* out) {
  *out << row.name << " at " << row.place << (row.in_total ? " (total)" : "");
}

class Powercap : public ::testing::Test {
 protected:
  RaplZones find() { return find_powercap_zones(fake_.options()); }

  std::vector<DomainRow> rows() {
    std::vector<DomainRow> rows;
    const RaplZones found = find();
    for (const CounterZone& zone : found.zones)
      rows.push_back({zone.domain.name, zone.domain.place, zone.domain.in_total});
    return rows;
  }

  std::unique_ptr<Meter> open() { return open_rapl_meter("powercap", fake_.options()); }

  std::string read_error(Meter& meter) {
    try {
      meter.read();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::failed);
      return error.what();
    }
    ADD_FAILURE() << "it could be read";
    return "";
  }

  FakeRapl fake_;
};

TEST_F(Powercap, CountsPackagesAndLeavesTheirPartsOutOfTheTotal) {
  fake_.add_desktop();
  EXPECT_THAT(rows(), ElementsAre(DomainRow{"package-0", "machine/package-0", true},
                                  DomainRow{"core-0", "machine/package-0/core", false},
                                  DomainRow{"uncore-0", "machine/package-0/uncore", false},
                                  DomainRow{"psys", "machine", false}));
}

TEST_F(Powercap, AddsMemoryToThePackages) {
  fake_.add_server();
  EXPECT_THAT(rows(), ElementsAre(DomainRow{"package-0", "machine/package-0", true},
                                  DomainRow{"dram-0", "machine/dram-0", true},
                                  DomainRow{"package-1", "machine/package-1", true},
                                  DomainRow{"dram-1", "machine/dram-1", true}));
  const auto meter = open();
  const Reading before = meter->read();
  fake_.time_s = fake_.time_s + 10;
  const Reading after = meter->read();
  const double joules = (total(meter->info(), after) - total(meter->info(), before)).value;
  EXPECT_NEAR(joules, 2 * (50 + 8) * 10, 1);
}

TEST_F(Powercap, CountsTheDiesOfAPackage) {
  for (const std::string die : {"0", "1"}) {
    fake_.add_zone("intel-rapl:" + die, "package-0-die-" + die);
    fake_.add_zone("intel-rapl:" + die + ":0", "dram");
  }
  EXPECT_THAT(rows(), ElementsAre(DomainRow{"package-0-die-0", "machine/package-0/die-0", true},
                                  DomainRow{"dram-0-die-0", "machine/dram-0-die-0", true},
                                  DomainRow{"package-0-die-1", "machine/package-0/die-1", true},
                                  DomainRow{"dram-0-die-1", "machine/dram-0-die-1", true}));
}

TEST_F(Powercap, CountsThePlatformOnlyWhereItStandsAlone) {
  fake_.add_zone("intel-rapl:0", "psys");
  EXPECT_THAT(rows(), ElementsAre(DomainRow{"psys", "machine", true}));
}

TEST_F(Powercap, TakesAPackageOnceThoughItHasTwoDoors) {
  fake_.add_desktop();
  const RaplZones found = find();
  EXPECT_EQ(found.zones.at(0).read() / 1000000, 1u) << "the one of intel-rapl, not of mmio";
  EXPECT_THAT(found.caveats, IsEmpty());
}

TEST_F(Powercap, TakesAPackageThatOnlyMmioHas) {
  fake_.add_zone("intel-rapl-mmio:0", "package-0");
  EXPECT_THAT(rows(), ElementsAre(DomainRow{"package-0", "machine/package-0", true}));
}

TEST_F(Powercap, SaysThatAnAmdCoreIsOneCore) {
  fake_.add_zone("intel-rapl:0", "package-0");
  fake_.add_zone("intel-rapl:0:0", "core");
  fake_.tree.write("proc/cpuinfo", "vendor_id\t: AuthenticAMD\n");
  EXPECT_THAT(find().zones.at(1).domain.contains, HasSubstr("one core alone"));
  EXPECT_EQ(rows().size(), 2u);
}

TEST_F(Powercap, KeepsTheNumbersOfManyPackages) {
  for (int i = 0; i < 12; ++i)
    fake_.add_zone("intel-rapl:" + std::to_string(i), "package-" + std::to_string(i));
  EXPECT_EQ(rows().at(10).name, "package-10");
}

TEST_F(Powercap, LeavesOutWhatItDoesNotKnow) {
  fake_.add_desktop();
  fake_.add_zone("intel-rapl:2", "flux-capacitor");
  fake_.add_zone("intel-rapl:3", "package-");
  fake_.add_zone("intel-rapl:4", "package-1-die-x");
  fake_.add_zone("intel-rapl:5", "package--1");
  fake_.add_zone("intel-rapl:6", "package-99999999999999999999");
  fake_.add_zone("intel-rapl:0:9", "warp");
  fake_.add_zone("intel-rapl:8:0", "core");
  fake_.add_zone("dtpm:0", "package-7");
  EXPECT_EQ(rows().size(), 4u);
  EXPECT_EQ(find().caveats.size(), 7u) << "and says so, but for what is not RAPL at all";
}

TEST_F(Powercap, KnowsTheUnitFromTheRange) {
  fake_.add_desktop();
  EXPECT_NEAR(open()->info().resolution.value, 6.1035e-5, 1e-8);
}

TEST_F(Powercap, CountsThroughAWrap) {
  fake_.add_desktop();
  fake_.write_energy("intel-rapl:0", std::to_string(FakeRapl::kRangeUj - 100000000));
  const auto meter = open();
  const Reading before = meter->read();
  fake_.time_s = fake_.time_s + 3;
  const Reading after = meter->read();
  EXPECT_NEAR((after.energy.at(0) - before.energy.at(0)).value, 150, 1)
      << "100 J before the wrap and 50 J after";
}

TEST_F(Powercap, StopsAtAWrapOfUnknownRange) {
  for (const char* text : {"", "0", "many", "-1"}) {
    fake_.add_desktop();
    fake_.tree.write("sys/class/powercap/intel-rapl:0/max_energy_range_uj", text);
    fake_.write_energy("intel-rapl:0", std::to_string(FakeRapl::kRangeUj - 100000000));
    const auto meter = open();
    EXPECT_THAT(meter->info().caveats, Contains(HasSubstr("max_energy_range_uj")));
    EXPECT_NO_THROW(meter->read());
    fake_.time_s = fake_.time_s + 3;
    EXPECT_THAT(read_error(*meter), HasSubstr("its range is unknown"));
    fake_.time_s = 0;
  }
}

TEST_F(Powercap, StopsAtAReset) {
  fake_.add_desktop();
  fake_.write_energy("intel-rapl:0", "100000000000");
  const auto meter = open();
  fake_.write_energy("intel-rapl:0", "0");
  EXPECT_THAT(read_error(*meter), AllOf(HasSubstr("package-0"), HasSubstr("reset")));
  fake_.write_energy("intel-rapl:0", "100000000000");
  EXPECT_THAT(read_error(*meter), HasSubstr("reset")) << "and stays stopped";
}

TEST_F(Powercap, StopsWhenAZoneVanishes) {
  fake_.add_desktop();
  const auto meter = open();
  EXPECT_NO_THROW(meter->read());
  fake_.tree.remove("sys/class/powercap/intel-rapl:0");
  EXPECT_THAT(read_error(*meter),
              AllOf(HasSubstr("package-0 can no longer be read"), HasSubstr("energy_uj")));
}

TEST_F(Powercap, StopsWhenACounterStops) {
  fake_.add_desktop();
  const auto meter = open();
  meter->read();
  fake_.halted_at_s = fake_.time_s.load();
  EXPECT_NO_THROW(meter->read());
  fake_.time_s = fake_.time_s + 6;
  EXPECT_THAT(read_error(*meter), HasSubstr("package-0 stopped"));
}

TEST_F(Powercap, RefusesGarbageInAPackage) {
  for (const char* text :
       {"", "\n", "12x", "-5", "0x10", "1.5", "99999999999999999999", "\x01\x02"}) {
    fake_.add_desktop();
    fake_.write_energy("intel-rapl:0", text);
    try {
      open();
      ADD_FAILURE() << "opened with '" << text << "'";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::failed);
      EXPECT_THAT(error.what(), HasSubstr("intel-rapl:0/energy_uj"));
    }
  }
}

TEST_F(Powercap, StopsAtGarbageInTheMiddle) {
  fake_.add_desktop();
  const auto meter = open();
  EXPECT_NO_THROW(meter->read());
  fake_.write_energy("intel-rapl:0", "");
  EXPECT_THAT(read_error(*meter), HasSubstr("not the whole number"));
}

TEST_F(Powercap, LeavesOutAPartThatCannotBeRead) {
  fake_.add_desktop();
  fake_.write_energy("intel-rapl:0:1", "garbage");
  EXPECT_EQ(rows().size(), 3u);
  EXPECT_THAT(find().caveats, ElementsAre(HasSubstr("left out: ")));
}

TEST_F(Powercap, SaysWhyThePlatformAloneCannotBeRead) {
  fake_.add_zone("intel-rapl:0", "psys");
  fake_.write_energy("intel-rapl:0", "garbage");
  EXPECT_THROW(
      {
        try {
          find();
        } catch (const Error& error) {
          EXPECT_THAT(error.what(), HasSubstr("garbage"));
          throw;
        }
      },
      Error);
}

// Root may read everything, so a child that is nobody looks instead.
TEST_F(Powercap, SaysWhichFileIsRefused) {
  fake_.add_desktop();
  const auto file = fake_.tree.root() / "sys/class/powercap/intel-rapl:0/energy_uj";
  std::filesystem::permissions(file, std::filesystem::perms(0400));
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    std::string text = "opened";
    int status = 0;
    if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0) _exit(99);
    try {
      open_rapl_meter("powercap", fake_.options());
    } catch (const Error& error) {
      text = error.what();
      status = exit_status(error.code());
    }
    _exit(write(ends[1], text.data(), text.size()) < 0 ? 98 : status);
  }
  close(ends[1]);
  std::string text(4096, '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(read(ends[0], text.data(), 4096), 0)));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (geteuid() != 0) {
    std::filesystem::permissions(file, std::filesystem::perms(0644));
    GTEST_SKIP() << "the owner may read what is 0400; only root can become nobody";
  }
  EXPECT_EQ(WEXITSTATUS(status), exit_status(ErrorCode::permission)) << text;
  EXPECT_THAT(text, AllOf(HasSubstr(file.string() + ": Permission denied (errno 13)"),
                          HasSubstr("chgrp rapl")));
}

}  // namespace
}  // namespace ampere
