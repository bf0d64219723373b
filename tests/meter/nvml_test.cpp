#include "meter/nvml/nvml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <thread>

#include "ampere/error.h"
#include "fake_nvml.h"
#include "meter/composite.h"

namespace ampere {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_support::FakeNvml;

class Nvml : public ::testing::Test {
 protected:
  Nvml() { options_.library = testing_support::fake_nvml_path(); }

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

  std::string place(const std::string& spec) {
    return open_nvml_meter(spec, options_)->info().domains.at(0).place;
  }

  // Not one remembered from before.
  static MeterState fresh_state(Meter& meter) {
    std::this_thread::sleep_for(meter.info().update_period);
    return meter.state();
  }

  static std::string wait_for_failure(Meter& meter) {
    for (int i = 0; i < 1000; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      try {
        meter.read();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::failed);
        return error.what();
      }
    }
    return "";
  }

  FakeNvml& fake_ = testing_support::fresh_fake_nvml();
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
  // A busy machine may sleep through steps, not every time.
  double period = 0;
  for (int i = 0; i < 10 && std::abs(period - 0.02) > 0.005; ++i)
    period = open_nvml_meter("0", options_)->info().update_period.count();
  EXPECT_NEAR(period, 0.02, 0.005);
}

TEST_F(Nvml, SaysWhatItIs) {
  const auto meter = open_nvml_meter("0", options_);
  EXPECT_EQ(meter->info().source, Source::measured);
  EXPECT_EQ(meter->info().sensing, Sensing::counter);
  EXPECT_EQ(meter->info().name, "nvml:0");
  EXPECT_EQ(meter->info().method, "energy counter");
  EXPECT_EQ(meter->info().domains.at(0).name, "gpu0");
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

TEST_F(Nvml, SaysWhenTheCounterStopsInTheMiddle) {
  options_.patience = Seconds{0.3};
  const auto meter = open_nvml_meter("0", options_);
  fake_.stands_still = true;
  EXPECT_THAT(wait_for_failure(*meter), HasSubstr("stands still"));
}

TEST_F(Nvml, IntegratesPowerWhereThereIsNoCounter) {
  fake_.energy_result = 3;
  const auto meter = open_nvml_meter("0", options_);
  const MeterInfo& info = meter->info();
  EXPECT_EQ(info.name, "nvml:0");
  EXPECT_EQ(info.method, "integrated instantaneous power");
  EXPECT_EQ(info.sensing, Sensing::sampled);
  EXPECT_EQ(info.source, Source::measured);
  EXPECT_THAT(info.caveats, Contains(HasSubstr("no energy counter")));
  EXPECT_GE(info.update_period.count(), 0.05) << "not finer than its samples";
  const Reading before = meter->read();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  const Reading after = meter->read();
  const double watts =
      (after.energy.at(0) - before.energy.at(0)).value / (after.time - before.time).count();
  EXPECT_NEAR(watts, 102, 0.1) << "the instantaneous power is 2 W above the averaged one";
}

TEST_F(Nvml, ComparesPowerWithTheCounterOfTheSameGpu) {
  const auto counter = open_nvml_meter("0,by=counter", options_);
  const auto power = open_nvml_meter("0,by=power", options_);
  EXPECT_EQ(counter->info().name, "nvml:0,by=counter");
  EXPECT_EQ(power->info().name, "nvml:0,by=power");
  EXPECT_EQ(counter->info().sensing, Sensing::counter);
  EXPECT_EQ(power->info().sensing, Sensing::sampled);
  EXPECT_EQ(power->info().domains.at(0).place, counter->info().domains.at(0).place);
  EXPECT_THAT(power->info().caveats, Not(Contains(HasSubstr("no energy counter"))));
  EXPECT_EQ(power->state().temperature_c, 41);
  EXPECT_EQ(open_nvml_meter("by=power", options_)->info().name, "nvml:0,by=power");
}

TEST_F(Nvml, UsesAveragedPowerOfOlderDrivers) {
  for (std::atomic<int>* refusal : {&fake_.instant_result, &fake_.fields_result}) {
    *refusal = 3;
    const auto meter = open_nvml_meter("0,by=power", options_);
    EXPECT_EQ(meter->info().method, "integrated averaged power");
    EXPECT_THAT(meter->info().caveats, Contains(HasSubstr("over a second")));
    *refusal = 0;
  }
}

TEST_F(Nvml, UnderstandsPowerOfEveryType) {
  for (const int type : {0, 1, 2, 3}) {
    fake_.instant_type = type;
    const auto meter = open_nvml_meter("0,by=power", options_);
    EXPECT_EQ(meter->info().method, "integrated instantaneous power") << type;
    const Reading before = meter->read();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const Reading after = meter->read();
    EXPECT_NEAR((after.energy.at(0) - before.energy.at(0)).value,
                102 * (after.time - before.time).count(), 0.01)
        << type;
  }
  fake_.instant_type = 77;
  EXPECT_EQ(open_nvml_meter("0,by=power", options_)->info().method, "integrated averaged power");
}

TEST_F(Nvml, RefusesADeviceThatTellsNothing) {
  fake_.energy_result = 3;
  fake_.power_result = fake_.instant_result = 3;
  std::string message;
  EXPECT_EQ(open_error("0", &message), ErrorCode::no_meter);
  EXPECT_THAT(message, HasSubstr("power"));
  EXPECT_EQ(open_error("0,by=counter", &message), ErrorCode::no_meter);
  EXPECT_THAT(message, HasSubstr("no energy counter"));
  EXPECT_FALSE(probe_nvml(options_).at(0).available);
}

TEST_F(Nvml, RefusesPowerStuckAtZero) {
  fake_.power_w = 0;
  fake_.step_ms = 100'000'000;
  fake_.instant_result = 3;
  options_.patience = Seconds{0.05};
  std::string message;
  EXPECT_EQ(open_error("0,by=power", &message), ErrorCode::no_meter);
  EXPECT_THAT(message, HasSubstr("0 W"));
}

TEST_F(Nvml, SaysWhenPowerFailsInTheMiddle) {
  const auto meter = open_nvml_meter("0,by=power", options_);
  fake_.instant_result = 15;
  EXPECT_THAT(wait_for_failure(*meter), HasSubstr("GPU is lost"));
}

TEST_F(Nvml, RefusesSettingsItDoesNotKnow) {
  std::string message;
  for (const char* spec : {"0,by=magic", "0,power", "0,", "by=", "0,by=power,1"}) {
    EXPECT_EQ(open_error(spec, &message), ErrorCode::usage) << spec;
  }
  EXPECT_THAT(message, HasSubstr("by=counter"));
}

TEST_F(Nvml, IsAddedOnceUnderTwoNames) {
  std::vector<std::unique_ptr<Meter>> members;
  for (const char* spec : {"0", "GPU-00000000-fake", "1"})
    members.push_back(open_nvml_meter(spec, options_));
  const auto meter = make_composite_meter(std::move(members));
  const auto& domains = meter->info().domains;
  ASSERT_EQ(domains.size(), 3u);
  EXPECT_TRUE(domains[0].in_total);
  EXPECT_FALSE(domains[1].in_total);
  EXPECT_TRUE(domains[2].in_total);
}

TEST_F(Nvml, IsAtOnePlaceHoweverItIsNamed) {
  EXPECT_EQ(place("1"), "machine/gpu-00000001-fake");
  EXPECT_EQ(place("GPU-00000001-fake"), place("1"));
  EXPECT_EQ(place("1,by=power"), place("1"));
  EXPECT_EQ(place("MIG-5555-fake"), place("1"));
  EXPECT_NE(place("0"), place("1"));
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

TEST_F(Nvml, SaysThatASplitGpuIsMeasuredWhole) {
  fake_.mig = 1;
  const auto meter = open_nvml_meter("0", options_);
  EXPECT_EQ(meter->info().name, "nvml:0");
  EXPECT_EQ(meter->info().domains.at(0).name, "whole GPU under MIG");
  EXPECT_THAT(meter->info().domains.at(0).contains, HasSubstr("all its MIG slices"));
  EXPECT_THAT(meter->info().caveats, Contains(HasSubstr("unknown")));
  EXPECT_THAT(probe_nvml(options_).at(0).reason, HasSubstr("all MIG slices"));
}

TEST_F(Nvml, MeasuresTheWholeGpuOfASlice) {
  fake_.mig = 1;
  const auto meter = open_nvml_meter("MIG-5555-fake", options_);
  EXPECT_EQ(meter->info().name, "nvml:MIG-5555-fake");
  EXPECT_EQ(meter->info().domains.at(0).name, "whole GPU of MIG-5555-fake");
  EXPECT_THAT(meter->info().caveats, Contains(HasSubstr("GPU-00000001-fake is split")));
  EXPECT_EQ(fake_.last_energy_device, 1);
  EXPECT_EQ(describe_nvml("MIG-5555-fake", options_).name, "Fake GPU 1");
  EXPECT_EQ(open_error("MIG-9999-none"), ErrorCode::unknown);
}

TEST_F(Nvml, FindsTheGpuInOldNamesOfSlices) {
  EXPECT_EQ(describe_nvml("MIG-GPU-00000001-fake/7/0", options_).name, "Fake GPU 1");
  EXPECT_EQ(describe_nvml("MIG-GPU-00000000-fake", options_).name, "Fake GPU 0");
  EXPECT_EQ(open_error("MIG-GPU-77777777-none/1/0"), ErrorCode::unknown);
}

TEST_F(Nvml, ThrowsWhenTheDeviceIsLostInTheMiddle) {
  const auto meter = open_nvml_meter("0", options_);
  EXPECT_NO_THROW(meter->read());
  fake_.energy_result = 15;
  EXPECT_THAT(wait_for_failure(*meter), HasSubstr("GPU is lost"));
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

TEST_F(Nvml, FindsSlicesAmongVisibleDevices) {
  options_.visible_devices = "MIG-5555-fake,0";
  EXPECT_EQ(open_nvml_meter("0", options_)->info().domains.at(0).name,
            "whole GPU of MIG-5555-fake");
  EXPECT_EQ(describe_nvml("1", options_).name, "Fake GPU 0");
  options_.visible_devices = "MIG-1234";
  EXPECT_EQ(open_error("0"), ErrorCode::unknown);
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
  EXPECT_FALSE(fresh_state(*meter).throttle) << "idle and application clocks are no throttling";
  fake_.clock_reasons = 0x24;
  EXPECT_EQ(fresh_state(*meter).throttle, "power cap, thermal slowdown");
}

TEST_F(Nvml, CountsOtherUsersOfTheDevice) {
  const auto meter = open_nvml_meter("0", options_);
  EXPECT_EQ(fresh_state(*meter).other_processes, 0);
  fake_.other_processes = 2;
  EXPECT_EQ(fresh_state(*meter).other_processes, 2);
  fake_.processes_result = 4;
  EXPECT_FALSE(fresh_state(*meter).other_processes);
}

TEST_F(Nvml, AsksForTheStateOnceAPeriod) {
  fake_.step_ms = 50;
  const auto meter = open_nvml_meter("0", options_);
  const Seconds begin = std::chrono::steady_clock::now().time_since_epoch();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&meter] {
      for (int k = 0; k < 500; ++k) EXPECT_EQ(meter->state().clock_mhz, 1980);
    });
  for (std::thread& thread : threads) thread.join();
  const Seconds end = std::chrono::steady_clock::now().time_since_epoch();
  EXPECT_LE(fake_.process_lists, 1 + (end - begin) / meter->info().update_period);
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
  EXPECT_FALSE(fresh_state(*meter).other_processes);
  std::filesystem::remove(proc / "self/ns/pid");
  std::filesystem::create_symlink("pid:[4026531836]", proc / "self/ns/pid");
  EXPECT_EQ(fresh_state(*meter).other_processes, 1);
}

TEST_F(Nvml, ProbesEveryVisibleDevice) {
  auto probes = probe_nvml(options_);
  ASSERT_EQ(probes.size(), 2u);
  EXPECT_TRUE(probes[1].available);
  EXPECT_EQ(probes[1].name, "nvml:1");
  EXPECT_THAT(probes[1].reason, HasSubstr("Fake GPU 1"));

  fake_.energy_result = 3;
  EXPECT_THAT(probe_nvml(options_).at(0).reason, HasSubstr("integrated power"));

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
