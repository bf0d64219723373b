#include "meter/hwmon/jetson.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "ampere/error.h"
#include "sysfs_tree.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_support::SysfsTree;

struct Rail {
  const char* name;
  int millivolts, milliamperes;
};

class Jetson : public ::testing::Test {
 protected:
  Jetson() { options_ = {tree_ / "sys", tree_ / "proc", Seconds{0.02}}; }

  void set_board(const std::string& model) {
    tree_.write("proc/device-tree/model", model + std::string(1, '\0'));
  }

  static std::string hwmon(int chip) {
    return "sys/class/hwmon/hwmon" + std::to_string(chip) + "/";
  }

  // As mainline's driver shows a chip, with the files of no rail of ours.
  void add_hwmon(int chip, const std::vector<Rail>& rails) {
    tree_.write(hwmon(chip) + "name", "ina3221\n");
    for (std::size_t i = 0; i < rails.size(); ++i) {
      const std::string n = std::to_string(i + 1);
      if (*rails[i].name != '\0') tree_.write(hwmon(chip) + "in" + n + "_label", rails[i].name);
      tree_.write(hwmon(chip) + "in" + n + "_enable", 1);
      tree_.write(hwmon(chip) + "in" + n + "_input", rails[i].millivolts);
      tree_.write(hwmon(chip) + "curr" + n + "_input", rails[i].milliamperes);
      tree_.write(hwmon(chip) + "shunt" + n + "_resistor", 5000);
      tree_.write(hwmon(chip) + "in" + std::to_string(i + 4) + "_input", 12);
    }
    tree_.write(hwmon(chip) + "in7_label", "sum of shunt voltages\n");
    tree_.write(hwmon(chip) + "in7_input", 1000);
    tree_.write(hwmon(chip) + "curr4_input", 9999);
  }

  static std::string iio(const std::string& device) {
    return "sys/bus/i2c/drivers/ina3221x/" + device + "/";
  }
  void add_iio(const std::string& device, const std::vector<std::pair<const char*, int>>& rails) {
    for (std::size_t i = 0; i < rails.size(); ++i) {
      const std::string n = std::to_string(i);
      tree_.write(iio(device) + "rail_name_" + n, rails[i].first);
      tree_.write(iio(device) + "in_power" + n + "_input", rails[i].second);
      tree_.write(iio(device) + "in_voltage" + n + "_input", 5000);
      tree_.write(iio(device) + "in_current" + n + "_input", 1);
    }
  }

  void add_orin_nano() {
    set_board("NVIDIA Jetson Orin Nano Developer Kit");
    add_hwmon(1, {{"VDD_IN", 5000, 1200}, {"VDD_CPU_GPU_CV", 5000, 400}, {"VDD_SOC", 5000, 300}});
  }
  void add_agx_orin() {
    set_board("NVIDIA Jetson AGX Orin Developer Kit");
    add_hwmon(
        3, {{"VDD_GPU_SOC", 19000, 200}, {"VDD_CPU_CV", 19000, 100}, {"VIN_SYS_5V0", 5000, 800}});
    add_hwmon(4, {{"NC", 0, 0}, {"VDDQ_VDD2_1V8AO", 5000, 200}, {"NC", 0, 0}});
  }

  static std::vector<std::string> total_of(const MeterInfo& info) {
    std::vector<std::string> names;
    for (const MeterDomain& domain : info.domains)
      if (domain.in_total) names.push_back(domain.name);
    return names;
  }
  static std::vector<std::string> rails_of(const MeterInfo& info) {
    std::vector<std::string> names;
    for (const MeterDomain& domain : info.domains) names.push_back(domain.name);
    return names;
  }
  static std::string place_of(const MeterInfo& info, const std::string& rail) {
    for (const MeterDomain& domain : info.domains)
      if (domain.name == rail) return domain.place;
    return "";
  }
  // Of the total.
  static double watts(Meter& meter) {
    const Reading before = meter.read();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const Reading after = meter.read();
    return (total(meter.info(), after) - total(meter.info(), before)).value /
           (after.time - before.time).count();
  }

  std::string refusal(const std::string& spec, ErrorCode code) {
    try {
      open_jetson_meter(spec, options_);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "jetson:" << spec << " opened";
    return "";
  }

  SysfsTree tree_;
  JetsonOptions options_;
};

TEST_F(Jetson, TakesTheInputRailForTheTotal) {
  add_orin_nano();
  const auto meter = open_jetson_meter("", options_);
  const MeterInfo& info = meter->info();
  EXPECT_EQ(info.name, "jetson");
  EXPECT_EQ(info.sensing, Sensing::sampled);
  EXPECT_THAT(rails_of(info), ElementsAre("VDD_IN", "VDD_CPU_GPU_CV", "VDD_SOC"));
  EXPECT_THAT(total_of(info), ElementsAre("VDD_IN"));
  EXPECT_EQ(place_of(info, "VDD_IN"), "machine");
  EXPECT_EQ(place_of(info, "VDD_SOC"), "machine/VDD_SOC");
  EXPECT_NEAR(watts(*meter), 6.0, 1e-9);
  // 40 uV across 5 mOhm are 8 mA, at 5 V for a tenth of a second.
  EXPECT_NEAR(info.resolution.value, 0.008 * 5 * 0.1, 1e-9);
}

TEST_F(Jetson, SumsTheRailsOfAgxOrinWithoutTheOneInsideAnother) {
  add_agx_orin();
  const auto meter = open_jetson_meter("", options_);
  EXPECT_THAT(total_of(meter->info()), ElementsAre("VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0"));
  EXPECT_THAT(rails_of(meter->info()), Contains("VDDQ_VDD2_1V8AO"));
  EXPECT_EQ(place_of(meter->info(), "VDDQ_VDD2_1V8AO"), "machine/VIN_SYS_5V0/VDDQ_VDD2_1V8AO");
  EXPECT_NEAR(watts(*meter), 3.8 + 1.9 + 4.0, 1e-9);
  EXPECT_THAT(meter->info().caveats, Contains(HasSubstr("the sum of VDD_GPU_SOC, VDD_CPU_CV")));
}

TEST_F(Jetson, SumsTheRailsOfAgxXavierUnderBothItsNames) {
  for (const char* model : {"Jetson-AGX", "NVIDIA Jetson AGX Xavier Developer Kit"}) {
    set_board(model);
    add_iio("1-0040/iio:device0", {{"GPU", 1000}, {"CPU", 2000}, {"SOC", 300}});
    add_iio("1-0041/iio:device1", {{"CV", 0}, {"VDDRQ", 40}, {"SYS5V", 500}});
    const auto meter = open_jetson_meter("", options_);
    EXPECT_EQ(total_of(meter->info()).size(), 6u);
    EXPECT_NEAR(watts(*meter), 3.84, 1e-9);
  }
}

TEST_F(Jetson, ReadsTheOlderLayout) {
  set_board("NVIDIA Jetson Nano Developer Kit");
  add_iio("6-0040/iio:device0",
          {{"POM_5V_IN\n", 2875}, {"POM_5V_GPU\n", 80}, {"POM_5V_CPU\n", 600}});
  const auto meter = open_jetson_meter("", options_);
  EXPECT_THAT(total_of(meter->info()), ElementsAre("POM_5V_IN"));
  EXPECT_NEAR(watts(*meter), 2.875, 1e-9);
}

TEST_F(Jetson, TakesTheModuleOfTx2AndNotItsCarrierToo) {
  set_board("quill");
  add_iio("0-0040/iio:device0", {{"VDD_SYS_GPU", 150}, {"VDD_SYS_SOC", 300}, {"VDD_4V0_WIFI", 0}});
  add_iio("0-0041/iio:device1", {{"VDD_IN", 1649}, {"VDD_SYS_CPU", 306}, {"VDD_SYS_DDR", 173}});
  add_iio("0-0042/iio:device2", {{"VDD_MUX", 3000}, {"VDD_5V0_IO_SYS", 900}, {"VDD_3V3_SYS", 100}});
  EXPECT_NEAR(watts(*open_jetson_meter("", options_)), 1.649, 1e-9);
  EXPECT_THAT(refusal("total=VDD_IN,VDD_MUX", ErrorCode::usage), HasSubstr("contain each other"));
}

TEST_F(Jetson, GuessesNoTotalOfAnUnknownBoard) {
  set_board("ACME Rover");
  add_hwmon(0, {{"VDD_GPU", 5000, 100}, {"VDD_CPU_SOC_MSS", 5000, 200}});
  EXPECT_THAT(refusal("", ErrorCode::no_meter),
              AllOf(HasSubstr("ACME Rover"), HasSubstr("VDD_GPU, VDD_CPU_SOC_MSS"),
                    HasSubstr("jetson:total=")));
  const auto probes = probe_jetson(options_);
  EXPECT_FALSE(probes.at(0).available);
  EXPECT_THAT(probes.at(0).remedies.at(0), HasSubstr("total="));
  const auto meter = open_jetson_meter("total=VDD_GPU,VDD_CPU_SOC_MSS", options_);
  EXPECT_EQ(meter->info().name, "jetson:total=VDD_GPU,VDD_CPU_SOC_MSS");
  EXPECT_NEAR(watts(*meter), 1.5, 1e-9);
  EXPECT_EQ(place_of(open_jetson_meter("total=VDD_GPU", options_)->info(), "VDD_GPU"), "machine");
}

TEST_F(Jetson, MissesNoRailOfASum) {
  set_board("NVIDIA Jetson AGX Orin Developer Kit");
  add_hwmon(3, {{"VDD_GPU_SOC", 19000, 200}, {"VDD_CPU_CV", 19000, 100}});
  EXPECT_THAT(refusal("", ErrorCode::no_meter), HasSubstr("VIN_SYS_5V0 is missing"));
}

TEST_F(Jetson, NeverSumsTwice) {
  add_orin_nano();
  EXPECT_THAT(refusal("total=VDD_IN,VDD_SOC", ErrorCode::usage), HasSubstr("count twice"));
  EXPECT_THAT(refusal("total=VDD_SOC,VDD_SOC", ErrorCode::usage), HasSubstr("count twice"));
  add_agx_orin();
  EXPECT_THAT(refusal("total=VDDQ_VDD2_1V8AO,VIN_SYS_5V0", ErrorCode::usage),
              HasSubstr("count twice"));
}

TEST_F(Jetson, RefusesRailsThatDoNotExist) {
  add_orin_nano();
  EXPECT_THAT(refusal("total=VDD_INN", ErrorCode::usage), HasSubstr("did you mean 'VDD_IN'"));
  for (const char* spec : {"total=", "total", "VDD_IN", "total=VDD_IN,",
                           "total=sum of shunt voltages", "rail=VDD_IN"}) {
    EXPECT_THAT(refusal(spec, ErrorCode::usage), HasSubstr("VDD_SOC")) << spec;
  }
}

TEST_F(Jetson, NamesRailsTheBoardDoesNot) {
  add_hwmon(2, {{"", 5000, 100}, {"VDD_SOC", 5000, 100}});
  EXPECT_THAT(refusal("", ErrorCode::no_meter), HasSubstr("hwmon2/in1, VDD_SOC"));
  const auto meter = open_jetson_meter("total=hwmon2/in1,VDD_SOC", options_);
  EXPECT_EQ(place_of(meter->info(), "hwmon2/in1"), "machine/hwmon2-in1");
}

TEST_F(Jetson, TellsTwoRailsOfOneNameApart) {
  add_hwmon(1, {{"VDD_A", 5000, 100}, {"VDD_B", 5000, 100}});
  add_hwmon(2, {{"VDD_A", 5000, 700}});
  const auto meter = open_jetson_meter("total=VDD_A,VDD_A@hwmon2", options_);
  EXPECT_NEAR(watts(*meter), 4.0, 1e-9);
}

TEST_F(Jetson, LeavesOutChannelsThatAreOff) {
  add_orin_nano();
  tree_.write(hwmon(1) + "in3_enable", 0);
  EXPECT_THAT(rails_of(open_jetson_meter("", options_)->info()),
              ElementsAre("VDD_IN", "VDD_CPU_GPU_CV"));
}

TEST_F(Jetson, LeavesOutRailsBesideTheTotalThatCannotBeRead) {
  add_orin_nano();
  tree_.write(hwmon(1) + "curr2_input", "garbage");
  const auto meter = open_jetson_meter("", options_);
  EXPECT_THAT(rails_of(meter->info()), ElementsAre("VDD_IN", "VDD_SOC"));
  EXPECT_THAT(meter->info().caveats, Contains(HasSubstr("VDD_CPU_GPU_CV is left out")));
}

TEST_F(Jetson, RefusesATotalThatCannotBeRead) {
  add_orin_nano();
  for (const char* text : {"", "garbage", "12 mA", "-90000", "1.5"}) {
    tree_.write(hwmon(1) + "curr1_input", text);
    EXPECT_THAT(refusal("", ErrorCode::failed), HasSubstr("curr1_input")) << text;
    EXPECT_FALSE(probe_jetson(options_).at(0).available) << text;
  }
  tree_.write(hwmon(1) + "curr1_input", 0);
  EXPECT_THAT(refusal("", ErrorCode::no_meter), HasSubstr("0 W"));
}

TEST_F(Jetson, TakesTheSensorsOffsetForNoCurrent) {
  add_orin_nano();
  tree_.write(hwmon(1) + "curr2_input", -16);
  const auto meter = open_jetson_meter("", options_);
  meter->read();
  tree_.write(hwmon(1) + "curr2_input", -17);
  EXPECT_THROW(meter->read(), Error) << "80 uV across 5 mOhm are 16 mA";
}

TEST_F(Jetson, SaysWhenTheSensorVanishes) {
  add_orin_nano();
  const auto meter = open_jetson_meter("", options_);
  tree_.remove(hwmon(1));
  try {
    meter->read();
    ADD_FAILURE() << "it read on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    EXPECT_THAT(error.what(), HasSubstr("hwmon1/in1_input"));
  }
}

TEST_F(Jetson, TellsTheGpusTemperature) {
  add_orin_nano();
  EXPECT_FALSE(open_jetson_meter("", options_)->state().temperature_c);
  tree_.write("sys/class/thermal/thermal_zone0/type", "cpu-thermal\n");
  tree_.write("sys/class/thermal/thermal_zone0/temp", 70'000);
  tree_.write("sys/class/thermal/thermal_zone1/type", "gpu-thermal\n");
  tree_.write("sys/class/thermal/thermal_zone1/temp", 48'500);
  EXPECT_EQ(open_jetson_meter("", options_)->state().temperature_c, 48.5);
  tree_.write("sys/class/thermal/thermal_zone1/temp", -256'000);
  EXPECT_FALSE(open_jetson_meter("", options_)->state().temperature_c);
}

TEST_F(Jetson, SaysWhenThereIsNoSensor) {
  EXPECT_THAT(refusal("", ErrorCode::no_meter), HasSubstr("class/hwmon"));
  tree_.write("sys/class/hwmon/hwmon0/name", "coretemp");
  const auto probes = probe_jetson(options_);
  ASSERT_EQ(probes.size(), 1u);
  EXPECT_FALSE(probes[0].available);
  EXPECT_FALSE(probes[0].remedies.empty());
}

TEST_F(Jetson, ProbesItsBoard) {
  add_agx_orin();
  const auto probes = probe_jetson(options_);
  EXPECT_TRUE(probes.at(0).available);
  EXPECT_EQ(probes.at(0).reason,
            "NVIDIA Jetson AGX Orin Developer Kit: VDD_GPU_SOC + VDD_CPU_CV + VIN_SYS_5V0");
  EXPECT_THAT(probes.at(0).remedies, IsEmpty());
}

}  // namespace
}  // namespace ampere
