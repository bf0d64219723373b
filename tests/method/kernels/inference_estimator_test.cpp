#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ampere/model.h"
#include "measured.h"
#include "method/kernels/kernel_fit.h"

namespace ampere {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::energy_of;
using testing_support::measured;

// All types of kernels of MobileNet v2, measured around those it has.
KernelFits known() {
  const std::vector<Model> networks{make_zoo_model("mobilenet_v2")};
  const std::vector<Kernel> own = distinct_kernels(networks);
  std::vector<Kernel> kernels = own;
  for (const Kernel& kernel : widen_kernels(own, 250, 1)) kernels.push_back(kernel);
  std::map<std::string, std::vector<Kernel>> by_type;
  for (const Kernel& kernel : own) by_type[kernel.type].push_back(kernel);
  for (const auto& [type, few] : by_type)
    for (const Kernel& kernel : widen_kernels(few, 12, 2)) kernels.push_back(kernel);
  EnergyTable data;
  data.environment["source"] = "measured";
  data.rows = measured(kernels, 0.02);
  return fit_kernels(data, {.folds = 0}).fits;
}

const KernelFits& fits() {
  static const KernelFits all = known();
  return all;
}

double energy_of(const Model& model) {
  double sum = 0;
  for (const Kernel& kernel : kernels_of(model)) sum += energy_of(kernel);
  return sum;
}

TEST(InferenceEstimator, AddsUpTheKernelsOfANetwork) {
  const auto estimator = make_inference_estimator(fits());
  for (const char* spec : {"mobilenet_v2", "mobilenet_v2:size=160", "mobilenet_v1"}) {
    const Model model = open_model(spec);
    const Estimate estimate = estimator->estimate(model, {});
    ASSERT_THAT(estimate.uncovered, IsEmpty()) << spec;
    const double truth = energy_of(model);
    EXPECT_NEAR(estimate.energy_j->mean / truth, 1, 0.1) << spec;
    EXPECT_NEAR(estimate.time_s->mean / (truth / 2), 1, 0.1) << spec;
    EXPECT_LT(estimate.energy_j->low, truth) << spec;
    EXPECT_GT(estimate.energy_j->high, truth) << spec;
  }
}

TEST(InferenceEstimator, HasPartsThatMakeUpTheWhole) {
  const Model model = make_zoo_model("mobilenet_v2");
  const Estimate estimate = make_inference_estimator(fits())->estimate(model, {.iterations = 100});
  double energy = 0;
  int count = 0;
  for (const Part& part : estimate.parts) {
    energy += part.energy_j->mean;
    count += part.count;
    EXPECT_EQ(part.features.size(), part.feature_names.size());
    EXPECT_GT(part.energy_j->stddev, 0);
  }
  EXPECT_NEAR(energy, estimate.energy_j_per_iteration->mean, 1e-12);
  EXPECT_NEAR(estimate.energy_j->mean, 100 * energy, 1e-9);
  EXPECT_EQ(count, static_cast<int>(kernels_of(model).size()));
  EXPECT_THAT(estimate.parts[0].title, "conv+bn+relu");
}

TEST(InferenceEstimator, ComposesANetworkFromTheSum) {
  const Model model = make_zoo_model("mobilenet_v2");
  const double kernels = static_cast<double>(kernels_of(model).size());
  InferenceOptions options;
  options.overhead = InferenceOverhead{{1e-6, 0}, {1e-6, 0}};
  const Estimate sum = make_inference_estimator(fits(), options)->estimate(model, {});
  options.composition = KernelComposition{{1.1, 2e-3, 0.3}, {1.2, 3e-3, 0.4}, 9};
  const Estimate composed = make_inference_estimator(fits(), options)->estimate(model, {});
  const Quantity &before = *sum.energy_j_per_iteration, &energy = *composed.energy_j_per_iteration;
  EXPECT_NEAR(energy.mean, 1.1 * before.mean + 2e-3 * kernels, 1e-12);
  EXPECT_NEAR(energy.stddev.value(), std::hypot(1.1 * before.stddev.value(), 0.3 * energy.mean),
              1e-12);
  EXPECT_NEAR(composed.time_s_per_iteration->mean,
              1.2 * sum.time_s_per_iteration->mean + 3e-3 * kernels, 1e-12);
  double parts = 0;
  for (const Part& part : composed.parts) parts += part.energy_j->mean;
  EXPECT_NEAR(parts, energy.mean, 1e-12);
  EXPECT_NEAR(composed.parts.back().energy_j->mean, 1.1e-6, 1e-15) << "the overhead is no kernel";
}

// Every kernel alone has it in its cost.
TEST(InferenceEstimator, TheOverheadIsInANetworkOnce) {
  const Model model = make_zoo_model("mobilenet_v2");
  const double kernels = static_cast<double>(kernels_of(model).size());
  const Estimate raw = make_inference_estimator(fits())->estimate(model, {});
  InferenceOptions options;
  options.overhead = InferenceOverhead{{2e-5, 1e-6}, {1e-5, 1e-6}};
  const Estimate net = make_inference_estimator(fits(), options)->estimate(model, {});
  EXPECT_NEAR(net.energy_j->mean, raw.energy_j->mean - (kernels - 1) * 2e-5, 1e-12);
  EXPECT_NEAR(net.time_s->mean, raw.time_s->mean - (kernels - 1) * 1e-5, 1e-12);
  EXPECT_GT(net.energy_j_per_iteration->stddev, raw.energy_j_per_iteration->stddev);
  EXPECT_EQ(net.parts.back().title, "inference");
  double parts = 0;
  for (const Part& part : net.parts) parts += part.energy_j->mean;
  EXPECT_NEAR(parts, net.energy_j->mean, 1e-12);
}

TEST(InferenceEstimator, ListsKernelsWithoutPredictorAndGivesNoTotal) {
  const Model model = make_zoo_model("lenet5");
  const Estimate estimate = make_inference_estimator(fits())->estimate(model, {});
  EXPECT_FALSE(estimate.energy_j);
  EXPECT_FALSE(estimate.time_s_per_iteration);
  std::vector<std::string> reasons;
  for (const Uncovered& uncovered : estimate.uncovered) reasons.push_back(uncovered.reason);
  EXPECT_THAT(reasons, Contains("no predictor for 'maxpool'"));
  EXPECT_THAT(reasons, Contains("no predictor for 'conv+relu'"));
}

TEST(InferenceEstimator, LetsRelatedTypesStandInWhenAsked) {
  KernelFits few = fits();
  few.erase("conv+bn");
  const Model model = make_zoo_model("mobilenet_v2");
  EXPECT_FALSE(make_inference_estimator(few)->estimate(model, {}).energy_j);
  InferenceOptions options;
  options.stand_ins = true;
  const Estimate estimate = make_inference_estimator(few, options)->estimate(model, {});
  ASSERT_TRUE(estimate.energy_j);
  EXPECT_THAT(estimate.warnings, Contains("conv+bn is estimated as conv+bn+relu: it was not "
                                          "measured itself"));
}

TEST(InferenceEstimator, GivesNoTimeWhereOneWasNotMeasured) {
  KernelFits untimed = fits();
  untimed.at("fc").time.reset();
  const Estimate estimate =
      make_inference_estimator(untimed)->estimate(make_zoo_model("mobilenet_v2"), {});
  EXPECT_TRUE(estimate.energy_j);
  EXPECT_FALSE(estimate.time_s);
  EXPECT_FALSE(estimate.time_s_per_iteration);
  EXPECT_THAT(estimate.warnings, Contains(HasSubstr("no time")));
  for (const Part& part : estimate.parts) EXPECT_EQ(part.time_s.has_value(), part.kind != "fc");
}

TEST(InferenceEstimator, LeavesOutAKernelThatLacksASize) {
  KernelFits strange = fits();
  KernelFit& fit = strange.at("fc");
  fit.columns.push_back("HEADS");
  fit.low["HEADS"] = fit.high["HEADS"] = 1;
  const Estimate estimate =
      make_inference_estimator(strange)->estimate(make_zoo_model("mobilenet_v2"), {});
  ASSERT_EQ(estimate.uncovered.size(), 1u);
  EXPECT_THAT(estimate.uncovered[0].reason, HasSubstr("wants HEADS"));
}

TEST(InferenceEstimator, WarnsOutsideWhatWasMeasured) {
  const Estimate estimate = make_inference_estimator(fits())->estimate(
      make_zoo_model("mobilenet_v2", {{"size", 1024}}), {});
  EXPECT_THAT(estimate.warnings, Contains(HasSubstr("outside what was profiled")));
}

TEST(InferenceEstimator, SaysWhereItsNumbersComeFrom) {
  KernelFits simulated = fits();
  simulated.at("fc").source = Source::simulated;
  EXPECT_EQ(
      make_inference_estimator(simulated)->estimate(make_zoo_model("mobilenet_v2"), {}).source,
      Source::simulated);
}

}  // namespace
}  // namespace ampere
