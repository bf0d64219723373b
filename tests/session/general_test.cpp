// General profiles beside those of one setup, and programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "ampere/session.h"
#include "method/operations/simulated.h"
#include "method/operations/simulated_profile.h"
#include "support/code_of.h"

namespace ampere {
namespace {

using namespace testing_support;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// The simulated device of the general profile: it times operations and measures steps by its law.
class SimulatedRig final : public Rig {
 public:
  explicit SimulatedRig(DeviceInfo device) : device_(std::move(device)) {}
  const DeviceInfo& device() const override { return device_; }
  Abilities abilities() const override {
    return {Ability::measure, Ability::operations, Ability::scripts};
  }

  bool fails = false;  // to time operations called "mm"
  std::vector<std::int64_t> measured_batches;
  std::vector<std::string> measured_scripts;
  std::size_t timed = 0;

 private:
  RigAnswer answer(const Request& request, const RunListener&) override {
    if (const auto* times = std::get_if<OperationTimesRequest>(&request)) return time_each(*times);
    if (const auto* script = std::get_if<ScriptRequest>(&request)) {
      measured_scripts.push_back(script->script.arguments);
      return ScriptMeasurement{of_time(1e-3), {}};
    }
    const auto& measure = std::get<MeasureRequest>(request);
    measured_batches.push_back(measure.setup.batch);
    return of_time(simulated_host_seconds(lower(measure.model, measure.setup)));
  }

  OperationTimes time_each(const OperationTimesRequest& request) {
    OperationTimes times;
    for (const Operation& operation : request.operations) {
      ++timed;
      if (fails && operation.name == "mm")
        times.each.emplace_back("out of memory");
      else
        times.each.emplace_back(
            StepTimes{Seconds(simulated_seconds(operation, request.tensors)), Seconds(5e-6)});
    }
    return times;
  }

  static Measurement of_time(double seconds) {
    Measurement measurement;
    measurement.time_s = {seconds, 0.0};
    measurement.energy_j = {100 * seconds, 0.0};
    Window window;
    window.iterations = 1;
    window.time = Seconds(seconds);
    window.energy = Joules{100 * seconds};
    measurement.windows = {window};
    return measurement;
  }

  DeviceInfo device_;
};

class GeneralSession : public testing::Test {
 protected:
  static void SetUpTestSuite() { general = new GeneralProfile(simulated_general_profile()); }
  static void TearDownTestSuite() { delete general; }

  std::int64_t keep(const DeviceInfo& device) {
    GeneralProfile own = *general;
    own.device = device;
    return session.keep_general(to_json(own), "test");
  }
  void profile(const std::string& family, const std::string& device) {
    const auto rig = open_rig("sim:" + device);
    ProfileRequest request;
    request.models = {open_model(family)};
    request.options.timings = 60;
    request.options.networks = 6;
    session.profile(request, {*rig, "sim:" + device});
  }
  Answer answer(const std::string& model, const ProfileQuery& query = {}) const {
    return session.estimate(open_model(model), query, {});
  }

  static double width(const Interval& interval) {
    return (interval.high - interval.low) / interval.mean;
  }

  static inline GeneralProfile* general = nullptr;
  Session session{open_store("memory:")};
};

TEST_F(GeneralSession, TheNarrowerOfTwoIntervalsAnswersAndNamesTheOther) {
  profile("lenet5", "server");
  keep(open_rig("sim:server")->device());
  const Answer chosen = answer("lenet5");
  const Answer dual = answer("lenet5", {.method = "dual"});
  const Answer operations = answer("lenet5", {.method = "operations"});
  EXPECT_EQ(dual.method, "dual");
  EXPECT_EQ(operations.method, "operations");
  EXPECT_THAT(dual.estimate.warnings, IsEmpty());
  const bool general_is_narrower =
      width(*operations.estimate.energy_j) < width(*dual.estimate.energy_j);
  EXPECT_EQ(chosen.method, general_is_narrower ? "operations" : "dual");
  EXPECT_THAT(
      chosen.estimate.warnings,
      Contains(testing::AllOf(HasSubstr("its interval is narrower"),
                              HasSubstr(general_is_narrower ? "by dual" : "by operations"))));
}

TEST_F(GeneralSession, WhatNoOtherProfileCoversTheGeneralOneAnswers) {
  profile("lenet5", "server");
  keep(open_rig("sim:server")->device());
  EXPECT_EQ(answer("lstm").method, "operations");
  EXPECT_EQ(answer("resnet18").method, "operations");
  ProfileQuery other;
  other.setup.batch = 48;
  const Answer found = answer("lenet5", other);
  EXPECT_EQ(found.method, "operations");
  EXPECT_EQ(found.profile.row.setup.batch, 48);
  EXPECT_THAT(session.methods_of(session.find_profile("1")), Contains("dual"));
}

TEST_F(GeneralSession, ProfilesOfTheSetupComeBeforeGeneralOnesOfOtherDevices) {
  profile("lenet5", "server");
  keep(general->device);
  const Answer found = answer("lenet5");
  EXPECT_EQ(found.method, "dual");
  EXPECT_THAT(found.estimate.warnings, Contains(HasSubstr("simulated accelerator")));
  EXPECT_EQ(answer("lenet5", {.device = "ACCELER"}).method, "operations");
  EXPECT_EQ(session.find_any_profile("").device.name, open_rig("sim:server")->device().name)
      << "a page of blocks needs them";
  EXPECT_EQ(code_of([&] { answer("lenet5", {.device = "none"}); }), ErrorCode::unknown);
}

TEST_F(GeneralSession, ProgramsNeedAGeneralProfile) {
  const Program program = lower(open_model("cnn5"), {});
  EXPECT_EQ(code_of([&] { session.estimate(program, {}, {}); }), ErrorCode::unknown);
  profile("lenet5", "server");
  EXPECT_EQ(code_of([&] { session.estimate(program, {}, {}); }), ErrorCode::unknown);
  keep(general->device);
  const Answer found = session.estimate(program, {}, {10, 0.9});
  EXPECT_EQ(found.method, "operations");
  EXPECT_EQ(found.profile.row.device.name, "simulated accelerator");
  EXPECT_NEAR(found.estimate.energy_j->mean /
                  answer("cnn5", {.method = "operations"}).estimate.energy_j->mean,
              10, 1e-9)
      << "a network is what it is lowered to";
  EXPECT_EQ(code_of([&] { session.estimate(program, {.method = "dual"}, {}); }), ErrorCode::usage);
}

TEST_F(GeneralSession, RefiningANetworkTimesOperationsAndTheHost) {
  keep(general->device);
  SimulatedRig rig(general->device);
  ProfileQuery query;
  query.setup.batch = 100;
  const Model model = open_model("resnet18:size=64");
  const Answer before = session.estimate(model, query, {});
  const Answer after = session.refine(model, query, {}, {rig, "test"});
  EXPECT_EQ(after.method, "operations");
  EXPECT_EQ(after.profile.row.setup.batch, 100);
  EXPECT_EQ(rig.timed, 30u);
  EXPECT_THAT(rig.measured_batches, testing::ElementsAre(2));
  EXPECT_LT(width(after.estimate.iteration->device_s), width(before.estimate.iteration->device_s));
  EXPECT_NEAR(
      after.estimate.iteration->device_s.mean / simulated_seconds(lower(model, query.setup)), 1,
      0.05);
  EXPECT_THAT(after.estimate.warnings, IsEmpty());
}

TEST_F(GeneralSession, RefiningAProgramTimesItsOperations) {
  keep(general->device);
  SimulatedRig rig(general->device);
  rig.fails = true;
  const Program program = lower(open_model("transformer"), {});
  const Answer plain = session.refine(program, {}, {}, {}, {rig, "test"});
  EXPECT_THAT(rig.measured_batches, IsEmpty());
  EXPECT_THAT(plain.estimate.warnings,
              Contains(HasSubstr("could not be timed, such as mm (out of")));
  const Script small{"train.py", "build", R"({"batch": 2})", false};
  session.refine(program, small, {}, {}, {rig, "test"});
  EXPECT_THAT(rig.measured_scripts, testing::ElementsAre(R"({"batch": 2})"));
}

TEST_F(GeneralSession, RefiningOnAnotherDeviceIsRefused) {
  keep(general->device);
  DeviceInfo other = general->device;
  other.name = "another";
  other.fingerprint = fingerprint_of(other);
  SimulatedRig rig(other);
  const Program program = lower(open_model("cnn5"), {});
  EXPECT_EQ(code_of([&] { session.refine(program, {}, {}, {}, {rig, ""}); }), ErrorCode::unknown);
  EXPECT_EQ(code_of([&] {
              session.refine(program, {}, {.device = "accelerator"}, {}, {rig, ""});
            }),
            ErrorCode::usage);
}

TEST_F(GeneralSession, AScriptIsCheckedAgainstItsAnswer) {
  keep(general->device);
  SimulatedRig rig(general->device);
  const Answer answer = session.estimate(lower(open_model("cnn5"), {}), {}, {10, 0.9});
  const Check check = session.check(Script{"train.py", "build"}, answer, {10, 0.9}, {}, {rig, ""});
  EXPECT_DOUBLE_EQ(check.measured.time_s.mean, 1e-3);
  EXPECT_NEAR(*check.time_difference, answer.estimate.time_s->mean / 1e-2 - 1, 1e-12);
}

}  // namespace
}  // namespace ampere
