#include "meter/nvml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "ampere/error.h"
#include "fake_nvml.h"

namespace ampere {
namespace {

using testing::FakeNvml;
using ::testing::HasSubstr;

class Nvml : public ::testing::Test {
 protected:
  Nvml() { options_.library = testing::fake_nvml_path(); }

  ErrorCode open_error(const std::string& device, std::string* message = nullptr) {
    try {
      open_nvml_meter(device, options_);
    } catch (const Error& error) {
      if (message != nullptr) *message = error.what();
      return error.code();
    }
    ADD_FAILURE() << "nvml:" << device << " opened";
    return ErrorCode::failed;
  }

  FakeNvml& fake_ = testing::fresh_fake_nvml();
  NvmlOptions options_;
};

TEST_F(Nvml, CountsJoulesAtTheDevicesPower) {
  const auto meter = open_nvml_meter("0", options_);
  const Reading first = meter->read();
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  const Reading second = meter->read();
  const double energy = (second.energy.at(0) - first.energy.at(0)).value;
  const double steps = energy / (100 * 0.004);
  EXPECT_GE(steps, 5);
  EXPECT_NEAR(steps, std::round(steps), 1e-6);
}

TEST_F(Nvml, FindsTheUpdatePeriod) {
  fake_.step_ms = 20;
  const auto meter = open_nvml_meter("0", options_);
  EXPECT_NEAR(meter->info().update_period.count(), 0.02, 0.01);
  EXPECT_EQ(meter->info().source, Source::measured);
  EXPECT_EQ(meter->info().name, "nvml:0");
  EXPECT_EQ(meter->info().method, "energy counter");
}

TEST_F(Nvml, StampsTheStepAndNotTheRead) {
  fake_.step_ms = 30;
  const auto meter = open_nvml_meter("0", options_);
  Reading before = meter->read();
  for (int equal = 0; equal < 5;) {
    const Reading now = meter->read();
    EXPECT_EQ(now.energy == before.energy, now.time == before.time);
    equal += now.energy == before.energy ? 1 : 0;
    before = now;
  }
}

TEST_F(Nvml, RefusesACounterThatDoesNotMove) {
  fake_.power_w = 0;
  options_.patience = Seconds{0.1};
  std::string message;
  EXPECT_EQ(open_error("0", &message), ErrorCode::no_meter);
  EXPECT_THAT(message, HasSubstr("moved 0 times"));
}

TEST_F(Nvml, RefusesADeviceWithoutCounter) {
  fake_.energy_result = 3;
  std::string message;
  EXPECT_EQ(open_error("0", &message), ErrorCode::no_meter);
  EXPECT_THAT(message, HasSubstr("no energy counter"));
}

TEST_F(Nvml, SaysWhenItIsNotPermitted) {
  fake_.energy_result = 4;
  EXPECT_EQ(open_error("0"), ErrorCode::permission);
}

TEST_F(Nvml, SaysWhenTheDriverIsNotLoaded) {
  fake_.init_result = 9;
  std::string message;
  EXPECT_EQ(open_error("0", &message), ErrorCode::no_meter);
  EXPECT_THAT(message, HasSubstr("Driver Not Loaded"));
}

TEST_F(Nvml, SaysWhenTheLibraryIsMissing) {
  options_.library = "libno-such-thing.so.1";
  std::string message;
  EXPECT_EQ(open_error("0", &message), ErrorCode::no_meter);
  EXPECT_THAT(message, HasSubstr("libno-such-thing"));
}

TEST_F(Nvml, RefusesASliceOfAGpu) {
  fake_.mig = 1;
  std::string message;
  EXPECT_EQ(open_error("0", &message), ErrorCode::no_meter);
  EXPECT_THAT(message, HasSubstr("MIG"));
}

TEST_F(Nvml, ThrowsWhenTheDeviceIsLostInTheMiddle) {
  const auto meter = open_nvml_meter("0", options_);
  EXPECT_NO_THROW(meter->read());
  fake_.energy_result = 15;
  std::string message;
  for (int i = 0; i < 1000 && message.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    try {
      meter->read();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::failed);
      message = error.what();
    }
  }
  EXPECT_THAT(message, HasSubstr("GPU is lost"));
  EXPECT_THROW(meter->read(), Error) << "it stays lost";
}

TEST_F(Nvml, NeverCountsBackwards) {
  fake_.runs_backwards = true;
  EXPECT_EQ(open_error("0"), ErrorCode::failed);
}

TEST_F(Nvml, ShutsTheLibraryDownAgain) {
  const int before = fake_.open;
  {
    const auto meter = open_nvml_meter("0", options_);
    EXPECT_EQ(fake_.open, before + 1);
  }
  EXPECT_EQ(fake_.open, before);
}

TEST_F(Nvml, OpensTheDeviceThatCudaCallsByThisIndex) {
  options_.visible_devices = "1";
  EXPECT_EQ(describe_nvml("0", options_).name, "Fake GPU 1");
  options_.visible_devices = "GPU-00000001-fake,0";
  EXPECT_EQ(describe_nvml("0", options_).name, "Fake GPU 1");
  EXPECT_EQ(describe_nvml("1", options_).name, "Fake GPU 0");
  options_.visible_devices = "GPU-00000001";
  EXPECT_EQ(describe_nvml("", options_).name, "Fake GPU 1");
}

TEST_F(Nvml, OpensADeviceByUuid) {
  EXPECT_EQ(describe_nvml("GPU-00000001-fake", options_).name, "Fake GPU 1");
  EXPECT_EQ(open_error("GPU-77777777-none"), ErrorCode::unknown);
}

TEST_F(Nvml, KnowsNoDeviceBeyondTheVisibleOnes) {
  EXPECT_EQ(open_error("2"), ErrorCode::unknown);
  options_.visible_devices = "0";
  EXPECT_EQ(open_error("1"), ErrorCode::unknown);
  options_.visible_devices = "";
  EXPECT_EQ(open_error("0"), ErrorCode::unknown);
  options_.visible_devices = "0,-1,1";
  EXPECT_EQ(open_error("1"), ErrorCode::unknown) << "CUDA stops at the first invalid entry";
}

TEST_F(Nvml, RefusesMigEntriesOfVisibleDevices) {
  options_.visible_devices = "MIG-1234";
  EXPECT_EQ(open_error("0"), ErrorCode::no_meter);
}

TEST_F(Nvml, RefusesNonsenseForADevice) {
  EXPECT_EQ(open_error("first"), ErrorCode::usage);
  EXPECT_EQ(open_error("-1"), ErrorCode::unknown);
  EXPECT_EQ(open_error("99999999999999999999"), ErrorCode::usage);
}

TEST_F(Nvml, DescribesTheDevice) {
  const NvmlDevice device = describe_nvml("0", options_);
  EXPECT_EQ(device.driver, "550.1");
  EXPECT_EQ(device.uuid, "GPU-00000000-fake");
  EXPECT_EQ(device.power_limit_w, 700);
  EXPECT_FALSE(device.memory_gib) << "the library has no such call, so nothing is known";
}

TEST_F(Nvml, ReportsTemperatureAndClock) {
  const MeterState state = open_nvml_meter("0", options_)->state();
  EXPECT_EQ(state.temperature_c, 41);
  EXPECT_EQ(state.clock_mhz, 1980);
}

TEST_F(Nvml, NamesWhatHoldsTheClocksDown) {
  const auto meter = open_nvml_meter("0", options_);
  fake_.clock_reasons = 0x3;
  EXPECT_FALSE(meter->state().throttle) << "idle and application clocks are no throttling";
  fake_.clock_reasons = 0x24;
  EXPECT_EQ(meter->state().throttle, "power cap, thermal slowdown");
}

TEST_F(Nvml, CountsOtherUsersOfTheDevice) {
  const auto meter = open_nvml_meter("0", options_);
  EXPECT_EQ(meter->state().other_processes, 0);
  fake_.other_processes = 2;
  EXPECT_EQ(meter->state().other_processes, 2);
  fake_.processes_result = 4;
  EXPECT_FALSE(meter->state().other_processes);
}

TEST_F(Nvml, SaysNothingOfOthersWhenProcessIdsAreNotOurs) {
  const std::filesystem::path proc = std::filesystem::path(::testing::TempDir()) / "nvml_proc";
  std::filesystem::remove_all(proc);
  std::filesystem::create_directories(proc / "self" / "ns");
  options_.proc = proc;
  fake_.lists_self = false;
  fake_.other_processes = 1;
  const auto meter = open_nvml_meter("0", options_);
  std::filesystem::create_symlink("pid:[4026532000]", proc / "self/ns/pid");
  EXPECT_FALSE(meter->state().other_processes);
  std::filesystem::remove(proc / "self/ns/pid");
  std::filesystem::create_symlink("pid:[4026531836]", proc / "self/ns/pid");
  EXPECT_EQ(meter->state().other_processes, 1);
}

TEST_F(Nvml, ProbesEveryVisibleDevice) {
  auto probes = probe_nvml(options_);
  ASSERT_EQ(probes.size(), 2u);
  EXPECT_TRUE(probes[1].available);
  EXPECT_EQ(probes[1].name, "nvml:1");
  EXPECT_THAT(probes[1].reason, HasSubstr("Fake GPU 1"));

  fake_.energy_result = 4;
  probes = probe_nvml(options_);
  EXPECT_FALSE(probes.at(0).available);
  EXPECT_THAT(probes.at(0).remedies.at(0), HasSubstr("administrator"));

  fake_.device_count = 0;
  EXPECT_FALSE(probe_nvml(options_).at(0).available);
  options_.library = "libno-such-thing.so.1";
  EXPECT_THAT(probe_nvml(options_).at(0).remedies.at(0), HasSubstr("driver"));
}

}  // namespace
}  // namespace ampere
