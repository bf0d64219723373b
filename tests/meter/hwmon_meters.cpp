#include "hwmon_meters.h"

#include <deque>

#include "meter/hwmon/amdgpu.h"
#include "meter/hwmon/hwmon.h"
#include "meter/hwmon/intel_gpu.h"
#include "meter/hwmon/jetson.h"
#include "sysfs_tree.h"

namespace ampere::testing_support {
namespace {

class TreeMeter final : public Meter {
 public:
  SysfsTree& tree() { return tree_; }
  void rise(const std::string& path) { moving_.emplace_back(tree_, path, 1'000'000, 5'000); }
  void open(std::unique_ptr<Meter> meter) { meter_ = std::move(meter); }

  const MeterInfo& info() const override { return meter_->info(); }
  Reading read() override { return meter_->read(); }
  MeterState state() override { return meter_->state(); }

 private:
  SysfsTree tree_;
  std::deque<MovingFile> moving_;
  std::unique_ptr<Meter> meter_;
};

constexpr Seconds kPatience{0.05};  // is used up with power that holds still
constexpr Seconds kPatienceOfFakes{5};

}  // namespace

std::unique_ptr<Meter> open_fake_amdgpu() {
  auto meter = std::make_unique<TreeMeter>();
  meter->tree().write("class/drm/card0/device/vendor", "0x1002\n");
  meter->tree().write("class/drm/card0/device/hwmon/hwmon2/name", "amdgpu\n");
  meter->tree().write("class/drm/card0/device/hwmon/hwmon2/power1_average", 35'000'000);
  meter->open(open_amdgpu_meter("0", {meter->tree().root(), kPatience}));
  return meter;
}

std::unique_ptr<Meter> open_fake_hwmon_energy() {
  auto meter = std::make_unique<TreeMeter>();
  meter->tree().write("class/hwmon/hwmon0/name", "amd_energy\n");
  meter->rise("class/hwmon/hwmon0/energy1_input");
  meter->open(open_hwmon_meter("amd_energy/energy1", {meter->tree().root(), kPatienceOfFakes}));
  return meter;
}

std::unique_ptr<Meter> open_fake_hwmon_power() {
  auto meter = std::make_unique<TreeMeter>();
  meter->tree().write("class/hwmon/hwmon0/name", "ina226\n");
  meter->tree().write("class/hwmon/hwmon0/power1_input", 4'000'000);
  meter->open(open_hwmon_meter("ina226/power1", {meter->tree().root(), kPatience}));
  return meter;
}

std::unique_ptr<Meter> open_fake_intel_gpu() {
  auto meter = std::make_unique<TreeMeter>();
  meter->tree().write("class/drm/card0/device/vendor", "0x8086\n");
  meter->tree().write("class/drm/card0/device/hwmon/hwmon2/name", "xe\n");
  meter->tree().write("class/drm/card0/device/hwmon/hwmon2/energy1_label", "card\n");
  meter->tree().write("class/drm/card0/device/hwmon/hwmon2/energy2_label", "pkg\n");
  meter->rise("class/drm/card0/device/hwmon/hwmon2/energy1_input");
  meter->rise("class/drm/card0/device/hwmon/hwmon2/energy2_input");
  meter->open(open_intel_gpu_meter("0", {meter->tree().root(), kPatienceOfFakes}));
  return meter;
}

std::unique_ptr<Meter> open_fake_jetson() {
  auto meter = std::make_unique<TreeMeter>();
  const std::string chip = "sys/class/hwmon/hwmon1/";
  meter->tree().write(chip + "name", "ina3221\n");
  for (const auto& [channel, label] : {std::pair{"1", "VDD_IN"}, std::pair{"2", "VDD_SOC"}}) {
    meter->tree().write(chip + "in" + channel + "_label", label);
    meter->tree().write(chip + "in" + channel + "_input", 5000);
    meter->tree().write(chip + "curr" + channel + "_input", 900);
  }
  meter->open(open_jetson_meter("", {meter->tree() / "sys", meter->tree() / "proc", kPatience}));
  return meter;
}

}  // namespace ampere::testing_support
