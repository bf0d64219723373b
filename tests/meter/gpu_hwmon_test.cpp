// AMD's and Intel's GPUs over trees laid out as the kernel documents them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "meter/hwmon/amdgpu.h"
#include "meter/hwmon/hwmon.h"
#include "meter/hwmon/intel_gpu.h"
#include "sysfs_tree.h"

namespace ampere {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing_support::MovingFile;
using testing_support::SysfsTree;

using Open = std::unique_ptr<Meter> (*)(const std::string&, const HwmonOptions&);

constexpr Seconds kLongPatience{5};  // with what moves: it is not used up

class GpuHwmon : public ::testing::Test {
 protected:
  GpuHwmon() { options_ = {tree_.root(), Seconds{0.05}}; }

  // A card with its device and hwmon chip, linked as in /sys. Returns the chip's folder.
  std::string add_card(int number, const std::string& bus, const std::string& vendor,
                       const std::string& chip) {
    const std::string device = "devices/pci0000:00/" + bus;
    const std::string card = "card" + std::to_string(number);
    tree_.write(device + "/vendor", vendor + "\n");
    tree_.write(device + "/drm/" + card + "/dev", "226:0\n");
    tree_.link(device + "/drm/" + card + "/device", device);
    tree_.link("class/drm/" + card, device + "/drm/" + card);
    return chip.empty() ? "" : add_chip(device, number, chip);
  }
  std::string add_chip(const std::string& device, int number, const std::string& name) {
    const std::string hwmon = "hwmon" + std::to_string(number);
    const std::string folder = device + "/hwmon/" + hwmon;
    tree_.write(folder + "/name", name + "\n");
    tree_.link(folder + "/device", device);
    tree_.link("class/hwmon/" + hwmon, folder);
    return folder;
  }
  std::string add_amd(int number = 0, const std::string& bus = "0000:03:00.0") {
    return add_card(number, bus, "0x1002", "amdgpu");
  }
  std::string add_intel(const std::string& driver) {
    return add_card(0, "0000:05:00.0", "0x8086", driver);
  }

  std::string refusal(Open open, const std::string& device, ErrorCode code) {
    try {
      open(device, options_);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      return error.what();
    }
    ADD_FAILURE() << device << " opened";
    return "";
  }

  SysfsTree tree_;
  HwmonOptions options_;
};

TEST_F(GpuHwmon, IntegratesAmdsAveragePower) {
  const std::string chip = add_amd();
  tree_.write(chip + "/power1_average", 150'000'000);
  tree_.write(chip + "/power1_input", 900'000'000);
  tree_.write(chip + "/power1_cap", 300'000'000);
  tree_.write(chip + "/temp1_input", 61'500);
  tree_.write(chip + "/freq1_input", 2'450'000'000);
  const auto meter = open_amdgpu_meter("0", options_);
  EXPECT_EQ(meter->info().name, "amdgpu:0");
  EXPECT_EQ(meter->info().sensing, Sensing::sampled);
  EXPECT_EQ(meter->info().domains.at(0).place, "machine/gpu-0000:03:00.0");
  EXPECT_THAT(meter->info().caveats, Contains(HasSubstr("average over an interval")));
  const Reading before = meter->read();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const Reading after = meter->read();
  EXPECT_NEAR((after.energy.at(0) - before.energy.at(0)).value,
              150 * (after.time - before.time).count(), 1e-6);
  const MeterState state = meter->state();
  EXPECT_EQ(state.temperature_c, 61.5);
  EXPECT_EQ(state.clock_mhz, 2450);
  EXPECT_FALSE(state.other_processes);
}

TEST_F(GpuHwmon, TakesAmdsMomentWhereThereIsNoAverage) {
  const std::string chip = add_amd();
  tree_.write(chip + "/power1_input", 20'000'000);
  const auto meter = open_amdgpu_meter("", options_);
  EXPECT_THAT(meter->info().caveats, Not(Contains(HasSubstr("average over an interval"))));
  EXPECT_FALSE(meter->state().temperature_c) << "not told, so not known";
}

TEST_F(GpuHwmon, PrefersAmdsEnergyCounter) {
  const std::string chip = add_amd();
  tree_.write(chip + "/power1_average", 150'000'000);
  options_.patience = kLongPatience;
  const MovingFile counter(tree_, chip + "/energy1_input", 0, 1000);
  const auto meter = open_amdgpu_meter("0", options_);
  EXPECT_EQ(meter->info().sensing, Sensing::counter);
  EXPECT_EQ(meter->info().method, "energy counter");
}

TEST_F(GpuHwmon, KnowsThatAnApuIsThePackage) {
  const std::string chip = add_amd();
  tree_.write(chip + "/power1_input", 15'000'000);
  tree_.write(chip + "/in0_label", "vddgfx\n");
  tree_.write(chip + "/in1_label", "vddnb\n");
  const auto meter = open_amdgpu_meter("0", options_);
  EXPECT_EQ(meter->info().domains.at(0).place, "machine/package-0") << "as RAPL's";
  EXPECT_THAT(meter->info().domains.at(0).contains, HasSubstr("processor cores"));
  EXPECT_THAT(meter->info().caveats, Contains(HasSubstr("APU")));
  EXPECT_THAT(probe_amdgpu(options_).at(0).reason, HasSubstr("whole package"));
}

TEST_F(GpuHwmon, IsAtOnePlaceWhicheverMeterReadsIt) {
  const std::string chip = add_amd();
  tree_.write(chip + "/power1_average", 1'000'000);
  EXPECT_EQ(open_hwmon_meter("amdgpu/power1", options_)->info().domains.at(0).place,
            open_amdgpu_meter("0", options_)->info().domains.at(0).place);
}

TEST_F(GpuHwmon, CountsCardsOfOneMakerByNumber) {
  add_card(0, "0000:00:02.0", "0x8086", "");
  for (const auto& [number, bus, watts] :
       {std::tuple{1, "0000:83:00.0", 10}, std::tuple{10, "0000:03:00.0", 30},
        std::tuple{2, "0000:43:00.0", 20}})
    tree_.write(add_amd(number, bus) + "/power1_average", watts * 1'000'000LL);
  tree_.write("class/drm/card1-HDMI-A-1/status", "connected\n");
  const auto place = [this](const std::string& device) {
    return open_amdgpu_meter(device, options_)->info().domains.at(0).place;
  };
  EXPECT_EQ(place("0"), "machine/gpu-0000:83:00.0");
  EXPECT_EQ(place("1"), "machine/gpu-0000:43:00.0");
  EXPECT_EQ(place("2"), "machine/gpu-0000:03:00.0");
  EXPECT_EQ(place("card10"), place("2"));
  EXPECT_EQ(place("0000:43:00.0"), place("1"));
  for (const char* wrong : {"3", "-1", "card0", "card1-HDMI-A-1", "0x0", "first"}) {
    EXPECT_THAT(refusal(open_amdgpu_meter, wrong, ErrorCode::unknown), HasSubstr("0000:83:00.0"))
        << wrong;
  }
  EXPECT_EQ(probe_amdgpu(options_).size(), 3u);
}

TEST_F(GpuHwmon, SaysWhatAmdsDriverDoesNotTell) {
  EXPECT_THAT(refusal(open_amdgpu_meter, "0", ErrorCode::no_meter), HasSubstr("none"));
  EXPECT_THAT(probe_amdgpu(options_).at(0).reason, HasSubstr("class/drm: no AMD GPU"));
  const std::string chip = add_amd();
  EXPECT_THAT(refusal(open_amdgpu_meter, "0", ErrorCode::no_meter), HasSubstr("power1_average"));
  tree_.write(chip + "/power1_average", "N/A\n");
  EXPECT_THAT(refusal(open_amdgpu_meter, "0", ErrorCode::failed), HasSubstr("N/A"));
  tree_.write(chip + "/power1_average", "-7\n");
  EXPECT_THAT(refusal(open_amdgpu_meter, "0", ErrorCode::failed), HasSubstr("cannot be"));
  const auto probes = probe_amdgpu(options_);
  EXPECT_FALSE(probes.at(0).available);
  EXPECT_THAT(probes.at(0).reason, HasSubstr("power1_average"));
}

TEST_F(GpuHwmon, SaysWhenAnAmdGpuFallsOffTheBus) {
  const std::string chip = add_amd();
  tree_.write(chip + "/power1_average", 1'000'000);
  const auto meter = open_amdgpu_meter("0", options_);
  tree_.remove("devices");
  EXPECT_THROW(meter->read(), Error);
  EXPECT_NO_THROW(meter->state());
}

TEST_F(GpuHwmon, CountsIntelsWholeCardOnce) {
  const std::string chip = add_intel("xe");
  tree_.write(chip + "/energy1_label", "card\n");
  tree_.write(chip + "/energy2_label", "pkg\n");
  options_.patience = kLongPatience;
  const MovingFile card(tree_, chip + "/energy1_input", 0, 3000);
  const MovingFile package(tree_, chip + "/energy2_input", 0, 2000);
  tree_.write(chip + "/temp2_input", 48'000);
  tree_.write("devices/pci0000:00/0000:05:00.0/tile0/gt0/freq0/act_freq", 2050);
  const auto meter = open_intel_gpu_meter("0", options_);
  const MeterInfo& info = meter->info();
  ASSERT_EQ(info.domains.size(), 2u);
  EXPECT_EQ(info.domains[0].name, "card");
  EXPECT_TRUE(info.domains[0].in_total);
  EXPECT_EQ(info.domains[0].place, "machine/gpu-0000:05:00.0");
  EXPECT_FALSE(info.domains[1].in_total);
  EXPECT_EQ(info.domains[1].place, "machine/gpu-0000:05:00.0/package");
  EXPECT_EQ(info.sensing, Sensing::counter);
  EXPECT_EQ(meter->state().temperature_c, 48);
  EXPECT_EQ(meter->state().clock_mhz, 2050);
}

TEST_F(GpuHwmon, CountsIntelsPackageWhereTheCardIsNotCounted) {
  const std::string chip = add_intel("xe");
  tree_.write(chip + "/energy2_label", "pkg\n");
  options_.patience = kLongPatience;
  const MovingFile package(tree_, chip + "/energy2_input", 0, 2000);
  const auto meter = open_intel_gpu_meter("", options_);
  EXPECT_TRUE(meter->info().domains.at(0).in_total);
  EXPECT_EQ(meter->info().domains.at(0).name, "package");
  EXPECT_THAT(meter->info().caveats, Contains(HasSubstr("package only")));
}

TEST_F(GpuHwmon, NeverAddsIntelsTilesToTheirGpu) {
  const std::string chip = add_intel("i915");
  const std::string tile = add_chip("devices/pci0000:00/0000:05:00.0", 1, "i915_gt0");
  options_.patience = kLongPatience;
  const MovingFile whole(tree_, chip + "/energy1_input", 0, 2000);
  const MovingFile part(tree_, tile + "/energy1_input", 0, 1000);
  tree_.write("class/drm/card0/gt/gt0/rps_act_freq_mhz", 1300);
  const auto meter = open_intel_gpu_meter("0", options_);
  ASSERT_EQ(meter->info().domains.size(), 2u);
  EXPECT_EQ(meter->info().domains[0].name, "package");
  EXPECT_TRUE(meter->info().domains[0].in_total);
  EXPECT_EQ(meter->info().domains[1].name, "i915_gt0 energy1");
  EXPECT_FALSE(meter->info().domains[1].in_total);
  EXPECT_EQ(meter->state().clock_mhz, 1300);
}

TEST_F(GpuHwmon, SaysThatIntegratedGpusHaveNoCounter) {
  EXPECT_THAT(probe_intel_gpu(options_).at(0).reason, HasSubstr("no Intel GPU"));
  add_intel("");
  EXPECT_THAT(refusal(open_intel_gpu_meter, "0", ErrorCode::no_meter), HasSubstr("integrated"));
  EXPECT_FALSE(probe_intel_gpu(options_).at(0).available);
}

TEST_F(GpuHwmon, RefusesIntelsCounterThatIsStuckOrGarbage) {
  const std::string chip = add_intel("xe");
  tree_.write(chip + "/energy1_input", 17);
  EXPECT_THAT(refusal(open_intel_gpu_meter, "0", ErrorCode::no_meter), HasSubstr("stuck"));
  EXPECT_TRUE(probe_intel_gpu(options_).at(0).available) << "it can be read";
  tree_.write(chip + "/energy1_input", "-17\n");
  EXPECT_THAT(refusal(open_intel_gpu_meter, "0", ErrorCode::failed), HasSubstr("energy1_input"));
  EXPECT_FALSE(probe_intel_gpu(options_).at(0).available);
}

}  // namespace
}  // namespace ampere
