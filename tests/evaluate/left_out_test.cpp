// No estimator may rest on the networks it is tested on.
#include <gtest/gtest.h>

#include "ampere/session.h"
#include "method/dual/dual_method.h"
#include "method/dual/dual_profile.h"
#include "model/draw.h"
#include "paced_evaluation.h"

namespace ampere {
namespace {

using testing_support::evaluate;
using testing_support::PacedEvaluation;

class LeftOutOfFits : public PacedEvaluation {
 protected:
  std::int64_t profile() const { return store_->profiles().front().id; }

  // As if the device had once cost three times as much at this network.
  void learn_wrongly(const Model& network) {
    Observation observation = observe_with_times(rig_, network, nullptr, {}, {});
    observation.measurement->energy_j.mean *= 3;
    for (Window& window : observation.measurement->windows) window.energy.value *= 3;
    store_->add(profile(), observation);
  }

  static double energy(const EvaluatedNetwork& network, const std::string& method) {
    return network.estimates.at(method).energy_j.value().mean;
  }
};

TEST_F(LeftOutOfFits, TestsThatAProfileHasLearntChangeNoEstimate) {
  const Evaluation before = run();
  for (const Model& test : task_.tests) learn_wrongly(test);
  Listener silent;
  ASSERT_TRUE(refit_dual({*store_, profile(), {}, {}, silent}));
  options_.afresh = true;
  const Evaluation after = run();
  for (std::size_t i = 0; i < before.networks.size(); ++i)
    EXPECT_NEAR(energy(after.networks[i], "dual") / energy(before.networks[i], "dual"), 1, 1e-9);

  const auto learnt = make_dual_estimator(load_dual(*store_, profile()));
  const double wrong =
      learnt->estimate(task_.tests.front(), {}).energy_j_per_iteration.value().mean;
  EXPECT_GT(wrong / energy(before.networks.front(), "dual"), 1.1)
      << "the stored model has learnt it";
}

// On the same device, by a session that profiles, refines and runs networks, too.
class LeftOutOfASession : public testing::Test {
 protected:
  LeftOutOfASession() {
    options_.methods = {"dual"};
    options_.seed = 1;
    options_.afresh = true;
    options_.profile.timings = 80;
    options_.profile.networks = 8;
  }

  Evaluation evaluate(const EvaluationTask& task) {
    return session_.evaluate(task, options_, {}, rig_);
  }

  std::int64_t profile() const { return session_.store().profiles().front().id; }

  std::size_t measured(const Model& model) const {
    return session_.store()
        .find({.profile = profile(), .purpose = Purpose::network, .model_hash = model_hash(model)})
        .size();
  }

  // All that is estimated of the test networks, at hand too.
  static std::vector<double> estimates_of(const Evaluation& evaluation) {
    std::vector<double> numbers;
    const auto add = [&](const NetworkEstimate& estimate) {
      numbers.push_back(estimate.energy_j.value().mean);
      numbers.push_back(estimate.energy_j.value().high);
      numbers.push_back(estimate.time_s.value().mean);
    };
    for (const EvaluatedNetwork& network : evaluation.networks) {
      for (const auto& [method, estimate] : network.estimates) add(estimate);
      for (const auto& estimate : network.at_hand)
        if (estimate) add(*estimate);
    }
    return numbers;
  }

  const std::unique_ptr<Rig> device_ = open_rig("sim:server");
  const NamedRig rig_{*device_, "sim:server"};
  Session session_{open_store("memory:")};
  EvaluationOptions options_;
};

TEST_F(LeftOutOfASession, NetworksThatWereRunAndLearntChangeNoEstimate) {
  options_.methods = {"dual", "flops", "flops+layers"};
  options_.baseline_limit = Seconds{8};
  const EvaluationTask task = family_task("cnn5", 3, 1);
  const std::vector<double> before = estimates_of(evaluate(task));
  for (const Model& test : task.tests) session_.run(test, {}, {}, rig_, Learning::yes);
  ASSERT_EQ(measured(task.tests[0]), 1u);
  EXPECT_EQ(estimates_of(evaluate(task)), before);
}

// The laws are fitted anew here, since they had learnt the tests.
TEST_F(LeftOutOfASession, WhatOtherMethodsMeasureAfterwardsChangesNoEstimate) {
  const EvaluationTask task = family_task("cnn5", 3, 1);
  evaluate(task);
  for (const Model& test : task.tests) session_.run(test, {}, {}, rig_, Learning::yes);
  const Evaluation alone = evaluate(task);
  options_.methods = {"dual", "flops+layers"};
  options_.baseline_limit = Seconds{60};
  const Evaluation together = evaluate(task);
  EXPECT_GT(together.methods.at(1).points, options_.profile.networks) << "others than for dual";
  for (std::size_t i = 0; i < task.tests.size(); ++i)
    EXPECT_EQ(together.networks.at(i).estimates.at("dual").energy_j.value().mean,
              alone.networks.at(i).estimates.at("dual").energy_j.value().mean);
}

TEST_F(LeftOutOfASession, BlocksThatWereTimedForThemAreLeftOutToo) {
  const EvaluationTask task = family_task("cnn5", 3, 1);
  const std::vector<double> before = estimates_of(evaluate(task));
  for (const Model& test : task.tests) session_.refine(test, {}, {}, rig_);
  EXPECT_EQ(estimates_of(evaluate(task)), before);
}

// A profile measures the original, and the original at half its widths.
TEST_F(LeftOutOfASession, AnOriginalThatIsATestTakesItsHalfWithIt) {
  const Model original = open_model("cnn5"), half = half_as_wide(original);
  session_.profile({.models = {original}, .options = options_.profile}, rig_);
  ASSERT_EQ(measured(original), 1u);
  ASSERT_EQ(measured(half), 1u);

  const Evaluation evaluation = evaluate(models_task("mine", {original}, 1));
  const DualEvidence others =
      dual_evidence(session_.store(), profile(), {}, {model_hash(original), model_hash(half)});
  const Estimate expected = make_dual_estimator(fit_dual(others))->estimate(original, {1, 0.9});
  const NetworkEstimate& made = evaluation.networks.at(0).estimates.at("dual");
  EXPECT_EQ(made.energy_j.value().mean, expected.energy_j.value().mean);
  EXPECT_EQ(made.energy_j.value().high, expected.energy_j.value().high);
}

TEST_F(LeftOutOfASession, AHalfThatIsATestIsNotMeasuredForTheProfile) {
  const Model half = half_as_wide(open_model("cnn5"));
  EvaluationTask task = family_task("cnn5", 2, 1);
  task.tests.push_back(half);
  evaluate(task);
  EXPECT_EQ(measured(half), 0u);
  EXPECT_EQ(measured(open_model("cnn5")), 0u) << "it tells much of its half";
}

}  // namespace
}  // namespace ampere
