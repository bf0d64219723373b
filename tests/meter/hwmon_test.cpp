#include "meter/hwmon/hwmon.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

#include "sysfs_tree.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_support::MovingFile;
using testing_support::SysfsTree;

constexpr Seconds kHwmonPatience{5};  // with what moves: it is not used up

class Hwmon : public ::testing::Test {
 protected:
  Hwmon() { options_ = {tree_.root(), Seconds{0.05}}; }

  void add_chip(int number, const std::string& name) { tree_.write(file(number, "name"), name); }
  static std::string file(int number, const std::string& name) {
    return "class/hwmon/hwmon" + std::to_string(number) + "/" + name;
  }

  void add_ina226() {
    add_chip(3, "ina226\n");
    tree_.write(file(3, "power1_input"), 12'500'000);
    tree_.write(file(3, "power1_label"), "VDD_BOARD\n");
    tree_.write(file(3, "power1_crit"), 99'000'000);
    tree_.write(file(3, "in1_input"), 12'000);
  }

  std::string refusal(const std::string& spec, ErrorCode code) {
    try {
      open_hwmon_meter(spec, options_);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "hwmon:" << spec << " opened";
    return "";
  }

  static std::string failure(Meter& meter) {
    try {
      meter.read();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  SysfsTree tree_;
  HwmonOptions options_;
};

TEST_F(Hwmon, IntegratesAPowerSensor) {
  add_ina226();
  const auto meter = open_hwmon_meter("ina226/power1", options_);
  const MeterInfo& info = meter->info();
  EXPECT_EQ(info.name, "hwmon:ina226/power1");
  EXPECT_EQ(info.sensing, Sensing::sampled);
  EXPECT_EQ(info.source, Source::measured);
  EXPECT_EQ(info.domains.at(0).name, "VDD_BOARD");
  EXPECT_EQ(info.domains.at(0).place, "machine/hwmon3/power1");
  EXPECT_THAT(info.caveats, Contains(HasSubstr("held still")));
  const Reading before = meter->read();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const Reading after = meter->read();
  EXPECT_NEAR((after.energy.at(0) - before.energy.at(0)).value,
              12.5 * (after.time - before.time).count(), 1e-9);
}

TEST_F(Hwmon, FindsASensorByNameFileLabelAndFolder) {
  add_ina226();
  for (const char* spec :
       {"ina226/power1", "ina226/power1_input", "ina226/VDD_BOARD", "hwmon3/power1", "ina226"}) {
    EXPECT_EQ(open_hwmon_meter(spec, options_)->info().domains.at(0).place, "machine/hwmon3/power1")
        << spec;
  }
}

TEST_F(Hwmon, CountsWithAnEnergySensor) {
  add_chip(0, "amd_energy");
  tree_.write(file(0, "energy1_label"), "Esocket1");
  options_.patience = kHwmonPatience;
  const MovingFile counter(tree_, file(0, "energy1_input"), 1'000'000'000'000, 5'000);
  const auto meter = open_hwmon_meter("amd_energy/Esocket1", options_);
  EXPECT_EQ(meter->info().sensing, Sensing::counter);
  EXPECT_EQ(meter->info().domains.at(0).place, "machine/package-1") << "as RAPL's";
  EXPECT_GT(meter->info().update_period.count(), 0);
  EXPECT_EQ(meter->info().resolution.value, 1e-6);
  const Joules before = meter->read().energy.at(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_GT(meter->read().energy.at(0), before);
}

TEST_F(Hwmon, PrefersTheMomentToTheAverage) {
  add_chip(1, "board");
  tree_.write(file(1, "power1_average"), 7'000'000);
  const auto averaged = open_hwmon_meter("board/power1", options_);
  EXPECT_THAT(averaged->info().caveats, Contains(HasSubstr("average over an interval")));
  tree_.write(file(1, "power1_input"), 8'000'000);
  const auto meter = open_hwmon_meter("board/power1", options_);
  EXPECT_THAT(meter->info().domains.at(0).contains, HasSubstr("power1_input"));
  const auto asked = open_hwmon_meter("board/power1_average", options_);
  EXPECT_THAT(asked->info().domains.at(0).contains, HasSubstr("power1_average"));
}

TEST_F(Hwmon, ListsWhatThereIsWhenAskedForSomethingElse) {
  add_ina226();
  add_chip(7, "coretemp");
  tree_.write(file(7, "temp1_input"), 40'000);
  for (const char* spec :
       {"", "ina227/power1", "ina226/power2", "coretemp/temp1", "/", "ina226/x"}) {
    EXPECT_THAT(
        refusal(spec, ErrorCode::usage),
        AllOf(HasSubstr("power1 (VDD_BOARD)"), HasSubstr("hwmon3"), Not(HasSubstr("temp1_"))))
        << spec;
  }
}

TEST_F(Hwmon, AsksForTheFolderOfTwinChips) {
  add_ina226();
  add_chip(10, "ina226");
  tree_.write(file(10, "power1_input"), 1'000'000);
  EXPECT_THAT(refusal("ina226/power1", ErrorCode::usage),
              AllOf(HasSubstr("2 chips"), HasSubstr("hwmon3"), HasSubstr("hwmon10")));
  EXPECT_NO_THROW(open_hwmon_meter("hwmon10/power1", options_));
  const auto probes = probe_hwmon(options_);
  ASSERT_EQ(probes.size(), 2u);
  EXPECT_EQ(probes[0].name, "hwmon:hwmon3/power1");
  EXPECT_EQ(probes[1].name, "hwmon:hwmon10/power1");
}

TEST_F(Hwmon, RefusesALabelOfTwoSensors) {
  add_chip(1, "pair");
  for (const char* id : {"power1", "power2"}) {
    tree_.write(file(1, std::string(id) + "_input"), 1'000'000);
    tree_.write(file(1, std::string(id) + "_label"), "rail");
  }
  EXPECT_THAT(refusal("pair/rail", ErrorCode::usage), HasSubstr("more than one sensor"));
  EXPECT_THAT(refusal("pair", ErrorCode::usage), HasSubstr("more than one sensor"));
  EXPECT_NO_THROW(open_hwmon_meter("pair/power2", options_));
}

TEST_F(Hwmon, UnderstandsNamesWithSlashesAndWithoutNames) {
  tree_.write(file(4, "power12_input"), 3'000'000);
  tree_.write(file(4, "power12_label"), "5V/12V rail");
  EXPECT_NO_THROW(open_hwmon_meter("hwmon4/5V/12V rail", options_));
  EXPECT_NO_THROW(open_hwmon_meter("hwmon4/power12", options_));
}

TEST_F(Hwmon, RefusesFilesThatHoldNoPower) {
  add_ina226();
  for (const char* text :
       {"", "\n", "garbage", "12.5", "-4000000", "1e6", "999999999999999999999"}) {
    tree_.write(file(3, "power1_input"), text);
    EXPECT_THAT(refusal("ina226/power1", ErrorCode::failed), HasSubstr("power1_input")) << text;
  }
  tree_.write(file(3, "power1_input"), 9'000'000'000'000'000'000);
  EXPECT_THAT(refusal("ina226/power1", ErrorCode::failed), HasSubstr("cannot be"));
}

TEST_F(Hwmon, RefusesSensorsThatAreStuck) {
  add_chip(1, "dead");
  tree_.write(file(1, "power1_input"), 0);
  EXPECT_THAT(refusal("dead/power1", ErrorCode::no_meter), HasSubstr("0 W"));
  tree_.write(file(1, "energy1_input"), 1234);
  EXPECT_THAT(refusal("dead/energy1", ErrorCode::no_meter), HasSubstr("stuck"));
}

TEST_F(Hwmon, SaysWhenTheChipIsUnplugged) {
  add_ina226();
  const auto meter = open_hwmon_meter("ina226/power1", options_);
  EXPECT_EQ(failure(*meter), "");
  tree_.remove("class/hwmon/hwmon3");
  EXPECT_THAT(failure(*meter), HasSubstr("hwmon3/power1_input"));
  add_ina226();
  EXPECT_THAT(failure(*meter), HasSubstr("hwmon3/power1_input")) << "and stays so";
}

TEST_F(Hwmon, SaysWhenACounterHoldsGarbage) {
  add_chip(0, "counter");
  options_.patience = kHwmonPatience;
  auto rising = std::make_unique<MovingFile>(tree_, file(0, "energy1_input"), 1'000, 100);
  const auto meter = open_hwmon_meter("counter/energy1", options_);
  rising.reset();
  tree_.write(file(0, "energy1_input"), "12x");
  EXPECT_THAT(failure(*meter), HasSubstr("energy1_input"));
}

TEST_F(Hwmon, ProbesEveryChip) {
  EXPECT_FALSE(probe_hwmon(options_).at(0).available);
  EXPECT_THAT(probe_hwmon(options_).at(0).reason, HasSubstr("class/hwmon"));
  add_ina226();
  add_chip(5, "broken");
  tree_.write(file(5, "energy1_input"), "?");
  const auto probes = probe_hwmon(options_);
  ASSERT_EQ(probes.size(), 2u);
  EXPECT_TRUE(probes[0].available);
  EXPECT_EQ(probes[0].name, "hwmon:ina226/power1");
  EXPECT_THAT(probes[0].reason, HasSubstr("VDD_BOARD"));
  EXPECT_FALSE(probes[1].available);
  EXPECT_THAT(probes[1].reason, HasSubstr("hwmon5/energy1_input"));
  EXPECT_FALSE(probes[1].remedies.empty());
}

TEST_F(Hwmon, DoesNotListAHundredCores) {
  add_chip(0, "amd_energy");
  for (int i = 1; i <= 100; ++i) tree_.write(file(0, "energy" + std::to_string(i) + "_input"), 1);
  EXPECT_THAT(probe_hwmon(options_).at(0).reason, HasSubstr("energy12 and 88 more"));
}

// Of this thread alone, which the C library has no call for.
void become(uid_t user) { ASSERT_EQ(syscall(SYS_setresuid, -1, user, -1), 0); }

TEST_F(Hwmon, NamesTheFileThatOnlyRootMayRead) {
  add_ina226();
  std::filesystem::permissions(tree_ / file(3, "power1_input"), std::filesystem::perms::none);
  const uid_t user = geteuid();
  if (user == 0) become(65534);
  const std::string message = refusal("ina226/power1", ErrorCode::permission);
  const MeterProbe probe = probe_hwmon(options_).at(0);
  if (user == 0) become(user);
  EXPECT_THAT(message, HasSubstr("hwmon3/power1_input"));
  EXPECT_THAT(probe.reason, HasSubstr("Permission denied"));
  EXPECT_THAT(probe.remedies, ElementsAre(HasSubstr("udev"), HasSubstr("root")));
}

}  // namespace
}  // namespace ampere
