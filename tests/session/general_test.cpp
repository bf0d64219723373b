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
    Abilities all{Ability::measure, Ability::operations, Ability::scripts};
    if (!draws_w) return all;
    all.insert({Ability::idle, Ability::operation_energy});
    return all;
  }

  bool fails = false;             // to time operations called "mm"
  std::optional<double> draws_w;  // while an operation is repeated; absent: it cannot be asked
  std::vector<std::int64_t> measured_batches;
  std::vector<std::string> measured_scripts;
  std::size_t timed = 0, drawn = 0;

 private:
  RigAnswer answer(const Request& request, const RunListener&) override {
    if (const auto* times = std::get_if<OperationTimesRequest>(&request)) return time_each(*times);
    if (const auto* script = std::get_if<ScriptRequest>(&request)) {
      measured_scripts.push_back(script->script.arguments);
      if (script->script.function == "drifts")
        return ScriptMeasurement{
            of_time(1e-3 + 1e-5 * static_cast<double>(measured_scripts.size())), {}};
      return ScriptMeasurement{of_time(1e-3), {}};
    }
    if (std::holds_alternative<IdleRequest>(request)) return of_time(1).windows.front();
    if (const auto* one = std::get_if<OperationRequest>(&request)) {
      ++drawn;
      const double call_s = simulated_seconds(one->operation, one->tensors);
      Measurement measured = of_time(2 * call_s);
      measured.energy_j.mean = call_s * (100 + *draws_w);
      measured.windows.front().energy = Joules{measured.energy_j.mean};
      return OperationMeasurement{measured};
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

// The host is looked at by both in turns, before and after the rest, and only the first of both is
// trained as it is.
TEST_F(GeneralSession, ARefinedDifferenceAsksTheDevice) {
  keep(general->device);
  SimulatedRig rig(general->device);
  rig.draws_w = 400;
  ProfileQuery query;
  query.setup.batch = 100;
  const DiffSide before{"a", open_model("cnn5")}, after{"b", open_model("cnn5:16,32,64,160")};
  const Diff alone = session.diff(before, after, query, {});
  const Diff diff = session.refine_diff(before, after, query, {}, {rig, "test"});
  EXPECT_FALSE(alone.at_hand);
  ASSERT_TRUE(diff.at_hand);
  EXPECT_GT(diff.at_hand->timed_operations, 5u);
  EXPECT_EQ(diff.at_hand->measured_operations, rig.drawn);
  EXPECT_GT(rig.drawn, 5u);
  EXPECT_EQ(diff.at_hand->host_looks, 4);
  EXPECT_GT(*diff.at_hand->host_slowdown, 0.5);
  EXPECT_THAT(rig.measured_batches, testing::ElementsAre(2, 2, 2, 2, 100));
  EXPECT_THAT(diff.after.estimate.warnings, IsEmpty());
  const Quantity &first = *diff.before.estimate.energy_j_per_iteration,
                 &second = *diff.after.estimate.energy_j_per_iteration;
  EXPECT_DOUBLE_EQ(first.mean, diff.at_hand->before_energy_j->mean);
  EXPECT_NEAR(second.mean - first.mean, diff.energy_j->mean, 1e-12);
}

TEST_F(GeneralSession, ARefinedDifferenceSaysWhatCouldNotBeMeasured) {
  keep(general->device);
  SimulatedRig rig(general->device);
  const DiffSide before{"a", lower(open_model("cnn5"), {})},
      after{"b", lower(open_model("cnn5:16,32,64,160"), {})};
  const Diff diff = session.refine_diff(before, after, {}, {}, {rig, "test"});
  EXPECT_EQ(diff.at_hand->measured_operations, 0u);
  EXPECT_EQ(diff.at_hand->host_looks, 0);
  EXPECT_FALSE(diff.at_hand->host_slowdown || diff.at_hand->before_energy_j);
  EXPECT_THAT(diff.after.estimate.warnings,
              Contains(HasSubstr("the energy of single operations was not measured")));
  EXPECT_THAT(diff.after.estimate.warnings, Contains(HasSubstr("the host is that of the profile")));
}

TEST_F(GeneralSession, BothSidesAreTrainedInTurns) {
  keep(general->device);
  SimulatedRig rig(general->device);
  const Program program = lower(open_model("cnn5"), {});
  const DiffSide before{"a", program, Script{"a.py", "drifts", R"({"side": "before"})"}},
      after{"b", program, Script{"b.py", "drifts", R"({"side": "after"})"}};
  const Diff diff = session.diff(before, after, {}, {});
  const DiffCheck check = session.check(before, after, diff, {}, {}, 4, {rig, "test"});
  EXPECT_EQ(check.before.time_s.size(), 4u);
  EXPECT_EQ(check.after.time_s.size(), 4u);
  const std::string a = R"({"side": "before"})", b = R"({"side": "after"})";
  EXPECT_THAT(rig.measured_scripts, testing::ElementsAre(a, b, b, a, a, b, b, a));
  EXPECT_NEAR(check.time_s.mean, 0, 1e-12) << "a steady drift cancels";
  EXPECT_GT(check.time_s.high, 0);
  EXPECT_LT(check.time_s.low, 0);
  EXPECT_TRUE(check.time_inside);
}

TEST_F(GeneralSession, OnlyWhatCanBeTrainedIsCompared) {
  keep(general->device);
  SimulatedRig rig(general->device);
  const DiffSide model{"a", open_model("cnn5")}, program{"b", lower(open_model("cnn5"), {})};
  const Diff diff = session.diff(model, model, {}, {});
  const auto check = [&](const DiffSide& side, int rounds) {
    return code_of([&] { session.check(model, side, diff, {}, {}, rounds, {rig, "test"}); });
  };
  EXPECT_EQ(check(program, 3), ErrorCode::usage);
  EXPECT_EQ(check(model, 1), ErrorCode::usage);
  EXPECT_THAT(rig.measured_batches, IsEmpty());
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
