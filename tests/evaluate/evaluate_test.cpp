#include "ampere/evaluate.h"

#include <gtest/gtest.h>

#include "ampere/error.h"
#include "ampere/profile.h"
#include "support/law_rig.h"

namespace ampere {
namespace {

using testing_support::additive_law;
using testing_support::LawRig;

struct Outcome {
  Evaluation evaluation;
  int most_points = 0;  // of any kind
};

Outcome profile_and_evaluate(const std::string& family, Rig& rig, int networks, unsigned seed) {
  const std::vector<Model> original{open_model(family)};
  const auto store = open_store("memory:");
  Outcome outcome;
  const auto summary = run_profile(
      plan_profile(original), rig, "test", *store, {}, {}, [&](const KindProgress& now) {
        outcome.most_points = std::max(outcome.most_points, now.points);
      });
  const Fits fits = read_fits(store->fits(summary.profile));
  const auto drawn = draw_networks(family, networks, seed);
  outcome.evaluation =
      evaluate(drawn, *make_ampere_estimator(fits), rig, {}, {}, seed, [](int, int) {});
  return outcome;
}

TEST(Evaluate, RecoversAnAdditiveSmoothLaw) {
  LawRig rig(additive_law);
  for (const std::string family : {"lenet5", "cnn5", "har", "lstm", "transformer"}) {
    const Outcome outcome = profile_and_evaluate(family, rig, 50, 1);
    EXPECT_LT(outcome.evaluation.energy.mape, 0.02) << family;
    EXPECT_LE(outcome.most_points, 25) << family;
  }
}

TEST(Evaluate, TheFaithfulMethodRecoversTheIdealDevice) {
  const auto rig = open_rig("sim:ideal");
  const Outcome outcome = profile_and_evaluate("cnn5", *rig, 100, 1);
  EXPECT_LT(outcome.evaluation.energy.mape, 0.02);
  EXPECT_LT(outcome.evaluation.time.mape, 0.02);
  EXPECT_LE(outcome.most_points, 25);
  EXPECT_GT(outcome.evaluation.energy_repeat_noise, 0) << "the device is noisy";
}

TEST(Evaluate, JetsonLikeDevicesStayUnderTenPerCent) {
  for (const std::string device : {"sim:xavier", "sim:tx2"}) {
    const auto rig = open_rig(device);
    EXPECT_LT(profile_and_evaluate("cnn5", *rig, 100, 1).evaluation.energy.mape, 0.10) << device;
  }
}

TEST(Evaluate, ANetworkThatFailsIsListedWithItsReason) {
  int count = 0;
  LawRig rig([&](const Model& model) {
    if (model.name().starts_with("cnn5:") && ++count == 3)
      throw Error(ErrorCode::failed, "out of memory");
    return additive_law(model);
  });
  const Evaluation evaluation = profile_and_evaluate("cnn5", rig, 5, 1).evaluation;
  int failed = 0;
  for (const EvaluatedNetwork& network : evaluation.networks)
    failed += network.failure == "out of memory";
  EXPECT_EQ(failed, 1);
  EXPECT_LT(evaluation.energy.mape, 0.1);
}

}  // namespace
}  // namespace ampere
