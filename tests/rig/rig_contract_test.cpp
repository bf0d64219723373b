// What every rig must do, wherever it measures.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "ampere/error.h"
#include "ampere/rig.h"
#include "virtual_device.h"

namespace ampere {
namespace {

using testing_support::tiny_model;

struct Case {
  const char* name;
  std::function<std::unique_ptr<Rig>()> open;
  Source source;
  bool paces, traces;
};

void PrintTo(const Case& contract, std::ostream* out) { *out << contract.name; }

std::unique_ptr<Rig> open_sim() { return open_rig("sim:" + sim_devices().front().name); }

Setup block() {
  Setup setup;
  setup.phase = Phase::block;
  return setup;
}

TraceRequest tiny_trace() { return {TraceRequest::Network{tiny_model(), Setup{}}}; }

// A recording of a simulated device, made on the spot.
std::unique_ptr<Rig> open_recording() {
  const auto path = std::filesystem::path(::testing::TempDir()) /
                    ("rig_contract_" + std::to_string(getpid()) + ".jsonl");
  std::filesystem::remove(path);
  {
    const auto recording = make_recording_rig(open_sim(), path);
    recording->measure(tiny_model(), Setup{}, Precision{});
    recording->measure(tiny_model(), Setup{}, Precision{});
    recording->time(tiny_model(), block());
    recording->idle_after(tiny_model(), Setup{});
    recording->work({tiny_model(), Setup{}, 500});
    const Program program = recording->trace(tiny_trace()).program;
    recording->time(program.tensors, program.operations);
  }
  return open_rig("recorded:" + path.string());
}

class RigContract : public ::testing::TestWithParam<Case> {
 protected:
  Measurement measure() { return rig_->measure(tiny_model(), {}, {}); }

  std::unique_ptr<Rig> rig_ = GetParam().open();
};

TEST_P(RigContract, SaysWhatItMeasuresOn) {
  const DeviceInfo& device = rig_->device();
  EXPECT_FALSE(device.name.empty());
  EXPECT_FALSE(device.meter.empty());
  EXPECT_EQ(device.source, GetParam().source);
  EXPECT_EQ(device.fingerprint, fingerprint_of(device));
  EXPECT_EQ(device.fingerprint.size(), 16u);
}

TEST_P(RigContract, OpensAsTheSameDeviceAgain) {
  EXPECT_EQ(GetParam().open()->device().fingerprint, rig_->device().fingerprint);
}

TEST_P(RigContract, MeasuresEnergyAndTimeOfAnIteration) {
  const Measurement result = measure();
  EXPECT_EQ(result.source, GetParam().source);
  for (const Quantity& statistic : {result.energy_j, result.time_s}) {
    EXPECT_GT(statistic.mean, 0);
    EXPECT_TRUE(std::isfinite(statistic.mean));
    EXPECT_GE(statistic.stddev.value(), 0);
  }
  EXPECT_GT(result.elapsed.count(), 0);
}

TEST_P(RigContract, AnswersWithTheWindowsItsNumbersComeFrom) {
  Measurement result = measure();
  ASSERT_FALSE(result.windows.empty());
  for (const Window& window : result.windows) {
    EXPECT_GT(window.iterations, 0);
    EXPECT_GT(window.time.count(), 0);
    EXPECT_GT(window.energy.value, 0);
  }
  const double before = result.energy_j.mean;
  summarize(result);
  EXPECT_NEAR(result.energy_j.mean, before, 1e-9 * before);
}

TEST_P(RigContract, MeasuresAgain) {
  const Measurement first = measure();
  const Measurement second = measure();
  EXPECT_NEAR(second.energy_j.mean / first.energy_j.mean, 1, 0.5);
}

TEST_P(RigContract, TimesAStepOfABlock) {
  ASSERT_TRUE(rig_->can_time());
  const Timing timing = rig_->time(tiny_model(), block());
  EXPECT_GT(timing.device_s, 0);
  EXPECT_TRUE(std::isfinite(timing.device_s));
  EXPECT_GE(timing.host_s.value_or(0), 0);
  EXPECT_GT(timing.elapsed.count(), 0);
  EXPECT_NEAR(rig_->time(tiny_model(), block()).device_s / timing.device_s, 1, 0.05);
}

// A simulated device cannot: its noise is not shared between networks, so that a ratio of two times
// would be no steadier than either.
TEST_P(RigContract, PacesTwoNetworksOrSaysThatItDoesNot) {
  ASSERT_EQ(rig_->can_pace(), GetParam().paces);
  if (!GetParam().paces) {
    try {
      rig_->pace(tiny_model(), tiny_model("reference"), {});
      FAIL() << "paced";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
    }
  } else {
    const Pace paced = rig_->pace(tiny_model(), tiny_model("reference"), {});
    EXPECT_GT(paced.time_s, 0);
    EXPECT_GT(paced.reference_s, 0);
    EXPECT_TRUE(std::isfinite(paced.time_s / paced.reference_s));
    EXPECT_GT(paced.elapsed.count(), 0);
  }
  EXPECT_GT(measure().energy_j.mean, 0) << "usable afterwards";
}

TEST_P(RigContract, TracesANetworkAndTimesItsOperationsOrSaysThatItDoesNot) {
  ASSERT_EQ(rig_->abilities().contains(Ability::operations), GetParam().traces);
  ASSERT_EQ(rig_->can_answer(tiny_trace()), GetParam().traces);
  if (!GetParam().traces) return;
  const Program program = rig_->trace(tiny_trace()).program;
  EXPECT_FALSE(program.steps.empty());
  ASSERT_TRUE(rig_->can_answer(OperationTimesRequest{program.tensors, program.operations}));
  const OperationTimes times = rig_->time(program.tensors, program.operations);
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const auto& time = std::get<StepTimes>(times.each.at(i));
    EXPECT_TRUE(std::isfinite(time.device.count() + time.host.count()));
    EXPECT_GT((time.device + time.host).count(), 0);
  }
  EXPECT_GT(measure().energy_j.mean, 0) << "usable afterwards";
}

TEST_P(RigContract, TrainsAsManyIterationsAsItIsAskedFor) {
  ASSERT_TRUE(rig_->can_work());
  const WorkDone done = rig_->work({tiny_model(), {}, 500, Joules{1e6}});
  EXPECT_EQ(done.iterations, 500);
  EXPECT_EQ(done.source, GetParam().source);
  EXPECT_GT(done.energy.value, 0);
  EXPECT_GT(done.time.count(), 0);
  EXPECT_GT(measure().energy_j.mean, 0) << "usable afterwards";
}

TEST_P(RigContract, RefusesWorkThatMakesNoSense) {
  for (const WorkRequest& request :
       {WorkRequest{tiny_model(), {}, 0}, WorkRequest{tiny_model(), {}, -5},
        WorkRequest{tiny_model(), {}, 500, Joules{-1}},
        WorkRequest{tiny_model(), {}, 500, Joules{std::nan("")}}}) {
    try {
      rig_->work(request);
      FAIL() << "answered";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_NE(std::string(error.what()).find("tiny"), std::string::npos) << error.what();
    }
  }
}

// The library knows no options of a command line.
TEST_P(RigContract, RefusesWhatItHasNoAbilityFor) {
  for (const Request& request :
       {Request{PaceRequest{tiny_model(), tiny_model(), {}}}, Request{DataRequest{"nowhere"}},
        Request{tiny_trace()}, Request{OperationTimesRequest{}}, Request{ScriptRequest{}}}) {
    if (rig_->can_answer(request)) continue;
    try {
      rig_->run(request);
      FAIL() << "answered";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_EQ(std::string(error.what()).find("--"), std::string::npos) << error.what();
    }
  }
}

TEST_P(RigContract, MeasuresTheDeviceAtRest) {
  ASSERT_TRUE(rig_->can_idle());
  const Window window = rig_->idle_after(tiny_model(), {});
  EXPECT_EQ(window.iterations, 0);
  EXPECT_GT(window.time.count(), 0.5);
  EXPECT_GT(window.energy.value, 0);
  EXPECT_GT(measure().energy_j.mean, 0);
}

INSTANTIATE_TEST_SUITE_P(
    AllRigs, RigContract,
    ::testing::Values(Case{"bench", [] { return testing_support::make_virtual_rig().rig; },
                           Source::simulated, true, false},
                      Case{"runner", [] { return open_rig("cmd:" AMPERE_FAKE_RUNNER); },
                           Source::simulated, true, false},
                      Case{"sim", open_sim, Source::simulated, false, true},
                      Case{"recorded", open_recording, Source::simulated, false, true}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace ampere
