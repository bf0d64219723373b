// No estimator may rest on the networks it is tested on.
#include <gtest/gtest.h>

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
  ASSERT_NE(refit_dual(*store_, profile(), {}), nullptr);
  options_.afresh = true;
  const Evaluation after = run();
  for (std::size_t i = 0; i < before.networks.size(); ++i)
    EXPECT_NEAR(energy(after.networks[i], "dual") / energy(before.networks[i], "dual"), 1, 1e-9);

  const auto learnt = make_dual_estimator(load_dual(*store_, profile()));
  const double wrong =
      learnt->estimate(task_.tests.front(), {}).energy_j_per_iteration.value().mean;
  EXPECT_GT(wrong / energy(before.networks.front(), "dual"), 1.1) << "the stored model has learnt it";
}

TEST_F(LeftOutOfFits, TheOriginalAtHalfItsWidthsIsLeftOutWhereItIsATest) {
  const Model half = half_as_wide(task_.originals.front());
  const EvaluationTask task{"half", task_.originals, {half}, task_.training};
  const Evaluation evaluation = evaluate(task, options_, rig_, *store_);
  ASSERT_FALSE(store_
                   ->find({.profile = profile(),
                           .purpose = Purpose::network,
                           .model_hash = model_hash(half)})
                   .empty())
      << "the profile measures it";
  const auto unseen =
      make_dual_estimator(fit_dual(dual_evidence(*store_, profile(), {}, {model_hash(half)})));
  const auto seen = make_dual_estimator(load_dual(*store_, profile()));
  const double estimated = energy(evaluation.networks.front(), "dual");
  EXPECT_NEAR(estimated / unseen->estimate(half, {}).energy_j_per_iteration->mean, 1, 1e-9);
  EXPECT_NE(estimated, seen->estimate(half, {}).energy_j_per_iteration->mean);
}

}  // namespace
}  // namespace ampere
