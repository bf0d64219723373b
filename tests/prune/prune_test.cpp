// Pruning as a whole, on a simulated device that was profiled once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ampere/error.h"
#include "ampere/session.h"
#include "method/dual/dual_method.h"
#include "model/draw.h"
#include "rig/sim.h"
#include "support/code_of.h"
#include "support/hooked_rig.h"
#include "support/profiling.h"
#include "support/random_weights.h"
#include "support/temp_folder.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::code_of;
using testing_support::HookedRig;
using testing_support::random_weights;
using testing_support::TempFolder;

const std::string kData = "made up";

// A simulated device that also trains: every epoch takes a joule and makes every network a little
// better. Measured energies are `dearer` times what the law says, after some that are not.
class TrainingRig : public HookedRig {
 public:
  TrainingRig() : HookedRig(open_sim_rig("xavier", 1)) {}

  Abilities abilities() const override {
    Abilities abilities = HookedRig::abilities();
    abilities.insert(Ability::train);
    return abilities;
  }

  double dearer = 1;
  int dearer_after = 0;                // measurements; from this one on
  int epochs_left = 1000;              // until training is interrupted
  std::map<std::string, int> trained;  // epochs by network

 private:
  RigAnswer answer(const Request& request, const RunListener& listener) override {
    if (const auto* asked = std::get_if<DataRequest>(&request)) return describe(asked->data);
    if (const auto* asked = std::get_if<TrainRequest>(&request))
      return train_on(asked->task, listener.training);
    RigAnswer answer = HookedRig::answer(request, listener);
    auto* measurement = std::get_if<Measurement>(&answer);
    if (measurement != nullptr && measured >= dearer_after) {
      measurement->energy_j.mean *= dearer;
      for (Window& window : measurement->windows) window.energy.value *= dearer;
    }
    return answer;
  }

  static DataInfo describe(const std::string& data) {
    if (data != kData) throw Error(ErrorCode::unknown, data + ": no such data");
    return {};
  }

  TrainingResult train_on(const TrainingTask& task, const TrainingListener& listener) {
    TrainingResult result;
    result.state = task.from;
    if (result.state.weights.empty()) result.state.weights = random_weights(task.model, task.seed);
    check_weights(task.model, result.state.weights);
    while (static_cast<int>(result.state.epochs.size()) < task.epochs) {
      if (epochs_left == 0) throw Error(ErrorCode::interrupted, "stopped");
      --epochs_left;
      ++trained[task.model.name()];
      TrainingEpoch epoch;
      epoch.energy = Joules{1};
      result.state.epochs.push_back(epoch);
      if (listener.epoch) listener.epoch(result.state);
    }
    const auto epochs = static_cast<double>(result.state.epochs.size());
    result.test = TestScore{1 / (1 + epochs), epochs / (1 + epochs)};
    return result;
  }
};

// The profile of cnn5 on this device.
const std::string& profile_text() {
  static const std::string text = [] {
    const auto rig = open_sim_rig("xavier", 1);
    const auto store = open_store("memory:");
    ProfileOptions options;
    options.timings = 60;
    options.networks = 8;
    const Model model = open_model("cnn5");
    const ProfileSummary summary = testing_support::profile(
        *make_dual_method(), {{model}, draw_narrower({&model, 1}, 40, 3)}, options, {*rig, *store});
    return export_profile(*store, summary.profile);
  }();
  return text;
}

class Prune : public testing::Test {
 protected:
  Prune() {
    task_.original = open_model("cnn5");
    task_.search.draws = 500;
    task_.search.kind = SearchKind::greedy;
    task_.method = "dual";
    budget("50%");
    begin();
  }

  void budget(const char* text) { task_.budget = parse_budget(text); }

  PruneResult run() { return run(rig_); }
  PruneResult run(TrainingRig& rig) {
    const NamedRig named{rig, "sim:xavier"};
    return session_->prune(task_, row(), &named);
  }
  PruneResult estimate() { return session_->prune(task_, row(), nullptr); }

  ProfileRow row() const { return session_->find_profile(std::to_string(profile_)); }
  std::size_t observations() const { return session_->store().find({.profile = profile_}).size(); }
  void begin() {
    session_.emplace(open_store("memory:"));
    profile_ = import_profile(session_->store(), profile_text(), "the profile");
  }

  // What the profile says of a network.
  double estimated_j(const Model& model) const {
    return session_->estimator(row(), "dual")->estimate(model, {}).energy_j.value().mean;
  }

  PruneTask task_;
  TrainingRig rig_;
  std::optional<Session> session_;
  std::int64_t profile_ = 0;
};

TEST_F(Prune, AShareOfTheOriginalIsMetByWhatIsMeasured) {
  const PruneResult result = run();
  EXPECT_TRUE(result.budget_of_measured);
  const double original_j = result.original.measured.value().energy_j.mean;
  EXPECT_DOUBLE_EQ(result.budget_j, 0.5 * original_j);
  const double pruned_j = result.pruned.measured.value().energy_j.mean;
  EXPECT_LE(pruned_j, result.budget_j);
  EXPECT_GE(pruned_j, 0.9 * result.budget_j) << "what is left would be worth channels";
  EXPECT_LE(result.pruned.upper_j, result.budget_j * (1 + 1e-9));
  EXPECT_EQ(result.rounds + 2, rig_.measured)
      << "the original, a network each round, and the accepted one once more";
  EXPECT_TRUE(result.others.empty());
}

TEST_F(Prune, TheFigureIsAMeasurementByWhichNothingWasChosen) {
  const PruneResult result = run();
  const Measurement &accepted = result.pruned.measured.value(),
                    &again = result.pruned.confirmed.value();
  EXPECT_NE(accepted.energy_j.mean, again.energy_j.mean) << "not the same measurement";
  EXPECT_EQ(&result.pruned.cost().value(), &again);
  EXPECT_FALSE(result.original.confirmed) << "nothing was accepted by its measurement";
  EXPECT_EQ(&result.original.cost().value(), &result.original.measured.value());
  EXPECT_THAT(result.warnings, testing::IsEmpty());
}

TEST_F(Prune, AnAcceptedNetworkThatIsOverTheBudgetAfterAllIsNamed) {
  run();
  TrainingRig dearer_in_the_end;
  dearer_in_the_end.dearer_after = rig_.measured;
  dearer_in_the_end.dearer = 1.2;
  begin();
  const PruneResult result = run(dearer_in_the_end);
  EXPECT_LE(result.pruned.measured.value().energy_j.mean, result.budget_j);
  EXPECT_GT(result.pruned.confirmed.value().energy_j.mean, result.budget_j);
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_THAT(result.warnings.front(), HasSubstr(result.pruned.model.name()));
  EXPECT_THAT(result.warnings.front(), HasSubstr("% over the budget"));
}

// The device has become dearer, or cheaper, since it was profiled. The profile learns what is
// measured of a network; the next search is corrected by what the profile errs by after that.
// Corrected by the error before, the next estimate would be off by as much the other way.
TEST_F(Prune, AMeasurementCorrectsTheNextSearchOnce) {
  task_.space.leave_alone = {"conv1", "conv2", "conv4"};
  for (const double dearer : {1.25, 0.8}) {
    begin();
    task_.budget = {Budget::Kind::joules_per_iteration, 0.8 * estimated_j(task_.original)};
    rig_.dearer = dearer;
    const PruneResult result = run();
    ASSERT_GE(result.tried.size(), 2u) << "the first network must be off";
    const auto error = [&](std::size_t i) {
      const PrunedNetwork& network = result.tried.at(i);
      return network.estimated.energy_j / network.measured.value().energy_j.mean - 1;
    };
    EXPECT_GT(std::abs(error(0)), 0.1) << dearer;
    EXPECT_LT(std::abs(error(1)), 0.75 * std::abs(error(0))) << dearer;
    EXPECT_LT(error(0) < 0 ? error(1) : -error(1), 0.05) << dearer << ": corrected too far";
  }
}

TEST_F(Prune, WithoutLearningTheCorrectionIsAllThereIs) {
  task_.learn = false;
  task_.budget = {Budget::Kind::joules_per_iteration, 0.5 * estimated_j(task_.original)};
  rig_.dearer = 1.3;
  const double before_j = estimated_j(task_.original);
  const PruneResult result = run();
  ASSERT_GE(result.rounds, 2);
  EXPECT_NEAR(result.pruned.estimated.energy_j / result.pruned.measured.value().energy_j.mean, 1,
              0.03);
  EXPECT_EQ(estimated_j(task_.original), before_j) << "the profile is as it was";
}

TEST_F(Prune, ABudgetBelowTheFloorIsRefusedWithTheFloor) {
  budget("1%");
  try {
    run();
    FAIL() << "nothing costs that little";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    EXPECT_THAT(error.what(), HasSubstr("the cheapest"));
    EXPECT_THAT(error.what(), HasSubstr("the original takes"));
  }
  EXPECT_EQ(rig_.measured, 1) << "the original, of which the budget is a share";
}

TEST_F(Prune, WithoutADeviceItEstimates) {
  const std::size_t before = observations();
  const PruneResult result = estimate();
  EXPECT_FALSE(result.original.measured);
  EXPECT_FALSE(result.pruned.measured);
  EXPECT_FALSE(result.budget_of_measured);
  EXPECT_EQ(result.rounds, 1);
  EXPECT_DOUBLE_EQ(result.budget_j, 0.5 * result.original.estimated.energy_j);
  EXPECT_LE(result.pruned.upper_j, result.budget_j * (1 + 1e-9));
  EXPECT_GT(result.pruned.upper_j, result.pruned.estimated.energy_j);
  EXPECT_EQ(observations(), before);
}

TEST_F(Prune, UnverifiedTheFirstFindIsTheResult) {
  task_.verify = task_.learn = false;
  rig_.dearer = 2;
  task_.budget = {Budget::Kind::joules_per_iteration, 0.5 * estimated_j(task_.original)};
  const PruneResult result = run();
  EXPECT_EQ(result.rounds, 1);
  EXPECT_GT(result.pruned.measured.value().energy_j.mean, result.budget_j);
  EXPECT_FALSE(result.pruned.confirmed) << "it was not accepted by its measurement";
}

TEST_F(Prune, AllFinalistsAreMeasuredAndTheMostWorthIsTheResult) {
  task_.finalists = 3;
  task_.search.kind = SearchKind::evolutionary;
  const PruneResult result = run();
  ASSERT_EQ(result.others.size(), 2u);
  for (const PrunedNetwork& other : result.others) {
    EXPECT_LE(other.measured.value().energy_j.mean, result.budget_j);
    EXPECT_NE(other.widths, result.pruned.widths);
    EXPECT_LE(other.worth, result.pruned.worth);
  }
}

TEST_F(Prune, TheEstimateOfEveryFinalistIsTheSumOfItsParts) {
  task_.finalists = 3;
  task_.search.kind = SearchKind::evolutionary;
  rig_.dearer = 1.2;
  PruneResult result = run();
  result.others.push_back(result.pruned);
  for (const PrunedNetwork& network : result.others) {
    double sum = 0;
    for (const CostPart& part : network.parts) sum += part.energy_j;
    EXPECT_NEAR(sum / network.estimated.energy_j, 1, 1e-6);
  }
}

class PruneAndTrain : public Prune {
 protected:
  PruneAndTrain() {
    task_.training = TrainingPlan{};
    task_.training->data = kData;
    task_.training->epochs = 4;
    task_.training->fine_tuning = 3;
    task_.folder = folder_ / "training";
  }

  TempFolder folder_;
};

TEST_F(PruneAndTrain, TheOriginalIsTrainedAndThePrunedNetworkFineTuned) {
  const PruneResult result = run();
  EXPECT_EQ(rig_.trained.at(task_.original.name()), 4);
  EXPECT_EQ(rig_.trained.at(result.pruned.model.name()), 3);
  EXPECT_EQ(rig_.trained.size(), 2u);
  EXPECT_DOUBLE_EQ(result.trained.value, 7);
  EXPECT_LT(result.pruned.inherited.value().accuracy,
            result.pruned.training.value().test.value().accuracy);
}

TEST_F(PruneAndTrain, GoesOnFromTheFolderWhereItStopped) {
  rig_.epochs_left = 5;
  EXPECT_EQ(code_of([&] { run(); }), ErrorCode::interrupted);
  EXPECT_EQ(rig_.trained.at(task_.original.name()), 4);
  rig_.epochs_left = 1000;
  rig_.trained.clear();
  const PruneResult result = run();
  EXPECT_FALSE(rig_.trained.contains(task_.original.name())) << "it was trained before";
  EXPECT_LE(rig_.trained.at(result.pruned.model.name()), 3);
  EXPECT_EQ(result.original.training.value().state.epochs.size(), 4u);
  EXPECT_DOUBLE_EQ(result.trained.value, 7) << "all of it, what was trained before too";
}

TEST_F(PruneAndTrain, AnotherTasksFolderIsRefusedBeforeAnythingIsMeasured) {
  run();
  task_.training->epochs = 5;
  rig_.measured = 0;
  EXPECT_EQ(code_of([&] { run(); }), ErrorCode::usage);
  EXPECT_EQ(rig_.measured, 0);
}

TEST_F(PruneAndTrain, NeedsADeviceAndData) {
  EXPECT_EQ(code_of([&] { estimate(); }), ErrorCode::usage);
  task_.training->data = "elsewhere";
  EXPECT_EQ(code_of([&] { run(); }), ErrorCode::unknown);
  EXPECT_EQ(rig_.measured, 0);
}

}  // namespace
}  // namespace ampere
