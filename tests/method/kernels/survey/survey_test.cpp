#include "method/kernels/survey.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "ampere/error.h"
#include "model/draw.h"
#include "rig/sim.h"
#include "small_networks.h"
#include "support/code_of.h"
#include "support/hooked_rig.h"
#include "support/surveying.h"
#include "support/temp_folder.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::code_of;
using testing_support::HookedRig;

class SurveyTest : public testing::Test {
 protected:
  SurveyTest() { options_.configurations = 90; }

  SurveySummary survey(Rig& rig, Store& store) {
    return testing_support::survey(std::span(&network_, 1), options_,
                                   {rig, store, inference_setup(), &stop_, &watcher_},
                                   {time_limit_});
  }

  static std::string csv(const Store& store) {
    return export_table(kernel_table(store, store.profiles().at(0)));
  }

  const Model network_ = testing_support::small_network();
  SurveyOptions options_;
  std::unique_ptr<Store> store_ = open_store("memory:");
  HookedRig rig_{open_sim_rig("xavier", 1)};
  testing_support::Watcher watcher_;
  std::atomic<bool> stop_{false};
  std::optional<Seconds> time_limit_;
};

TEST_F(SurveyTest, FitsEveryTypeOfTheNetwork) {
  const SurveySummary summary = survey(rig_, *store_);
  std::set<std::string> types;
  for (const Kernel& kernel : kernels_of(network_, summary.fusion.rules)) types.insert(kernel.type);
  EXPECT_EQ(types.size(), 9u) << "the Jetson fuses nothing";
  for (const std::string& type : types) {
    EXPECT_TRUE(summary.gp.fits.contains(type)) << type;
    EXPECT_TRUE(summary.forest.fits.contains(type)) << type;
  }
  EXPECT_EQ(summary.failed, 0);
  EXPECT_LE(summary.kernels.measured, options_.configurations);
  EXPECT_GT(summary.rounds, 1);
  EXPECT_EQ(watcher_.seen.front().step, "fusion");
  EXPECT_THAT(watcher_.seen.back().step, HasSubstr("round"));
}

TEST_F(SurveyTest, ASecondOneMeasuresNothing) {
  survey(rig_, *store_);
  const int measured = rig_.measured;
  const std::string before = csv(*store_);
  EXPECT_EQ(survey(rig_, *store_).measured, 0);
  EXPECT_EQ(rig_.measured, measured);
  EXPECT_EQ(csv(*store_), before);
}

TEST_F(SurveyTest, GoesOnWhereItWasInterruptedAsIfItHadNotBeen) {
  survey(rig_, *store_);
  const auto other = open_store("memory:");
  HookedRig again{open_sim_rig("xavier", 1)};
  int cuts = 0;
  for (const int cut : {3, 40, 90}) {
    again.before_measuring = [&](const Model&) {
      if (again.measured == cut) stop_ = true;
    };
    EXPECT_EQ(code_of([&] { survey(again, *other); }), ErrorCode::interrupted);
    stop_ = false;
    ++cuts;
    EXPECT_EQ(again.measured, cut + 1) << "what was begun is finished and kept";
  }
  again.before_measuring = {};
  survey(again, *other);
  EXPECT_EQ(again.measured, rig_.measured);
  EXPECT_EQ(csv(*other), csv(*store_));
}

TEST_F(SurveyTest, ARecordingGivesTheSame) {
  const testing_support::TempFolder folder;
  const std::string path = folder / "survey.jsonl.gz";
  {
    const auto recording = make_recording_rig(open_sim_rig("xavier", 1), path);
    survey(*recording, *store_);
  }
  const auto other = open_store("memory:");
  const SurveySummary replayed = survey(*open_rig("recorded:" + path), *other);
  EXPECT_EQ(csv(*other), csv(*store_));
  EXPECT_EQ(replayed.failed, 0);
}

TEST_F(SurveyTest, ARecordingThatWasCutOffGivesWhatItHas) {
  int left = 60;
  rig_.has_answer = [&](const Model&) { return left-- > 0; };
  const SurveySummary summary = survey(rig_, *store_);
  EXPECT_LE(rig_.measured, 60);
  EXPECT_FALSE(summary.gp.fits.empty());
}

TEST_F(SurveyTest, OneNetworkIsMeasuredWholeWithNarrowerVersions) {
  const SurveySummary summary = survey(rig_, *store_);
  std::set<std::string> whole;
  for (const Observation& network :
       store_->find({.profile = summary.profile, .purpose = Purpose::network}))
    whole.insert(model_hash(network.model));
  EXPECT_EQ(whole.size(), 4u) << "once each";
  EXPECT_TRUE(whole.contains(model_hash(network_)));
  ASSERT_TRUE(summary.composition);
  EXPECT_EQ(summary.composition->networks, 4);
}

// A device on which each kernel of a network takes 0.2 mJ more than alone.
TEST_F(SurveyTest, FindsWhatKernelsCostMoreInANetwork) {
  survey(rig_, *store_);
  const std::int64_t profile = store_->profiles().at(0).id;
  std::set<std::string> of_survey, hashes;
  for (const Observation& network : store_->find({.profile = profile, .purpose = Purpose::network}))
    of_survey.insert(model_hash(network.model));
  InferenceOptions sums = read_inference_options(*store_, profile, PredictorKind::gp);
  sums.composition.reset();
  const auto plain =
      make_inference_estimator(read_kernel_fits(*store_, profile, PredictorKind::gp), sums);
  for (const std::int64_t width : {8, 16, 24, 48}) {
    Observation network = store_->find({.profile = profile, .purpose = Purpose::network}).at(0);
    network.model = testing_support::small_network(width);
    const Estimate sum = plain->estimate(network.model, {});
    const double each =
        2e-4 *
        static_cast<double>(kernels_of(network.model, read_fusion_rules(*store_, profile)).size());
    Window window;
    window.iterations = 1;
    window.energy = Joules{sum.energy_j_per_iteration->mean + each};
    window.time = Seconds{sum.time_s_per_iteration->mean};
    network.measurement->windows = {window};
    summarize(*network.measurement);
    store_->add(profile, network);
    hashes.insert(model_hash(network.model));
  }
  const KernelComposition found = composition_of(*store_, profile, of_survey).value();
  EXPECT_EQ(found.networks, 4);
  EXPECT_NEAR(found.energy.scale, 1, 0.02);
  EXPECT_NEAR(found.energy.each, 2e-4, 2e-5);
  EXPECT_LT(found.time.each, 1e-6);
  hashes.merge(of_survey);
  EXPECT_FALSE(composition_of(*store_, profile, hashes)) << "nothing is left";

  EXPECT_EQ(keep_composition(*store_, profile)->networks, 8);
  const KernelComposition kept = read_composition(*store_, profile).value();
  EXPECT_EQ(kept.networks, 8);
  const Estimate before = plain->estimate(network_, {});
  sums.composition = found;
  const auto composed =
      make_inference_estimator(read_kernel_fits(*store_, profile, PredictorKind::gp), sums);
  EXPECT_GT(composed->estimate(network_, {}).energy_j->mean, before.energy_j->mean);
  const InferenceOptions forest = read_inference_options(*store_, profile, PredictorKind::forest);
  EXPECT_FALSE(forest.composition) << "its authors add up";
}

TEST_F(SurveyTest, FailuresAreKeptAndNotTriedAgain) {
  rig_.before_measuring = [](const Model& model) {
    if (model.name() == "maxpool") throw Error(ErrorCode::failed, "no room");
  };
  const SurveySummary summary = survey(rig_, *store_);
  EXPECT_GT(summary.failed, 0);
  EXPECT_FALSE(summary.gp.fits.contains("maxpool"));
  EXPECT_THAT(summary.warnings, testing::Contains(HasSubstr("no room")));
  const int measured = rig_.measured;
  survey(rig_, *store_);
  EXPECT_EQ(rig_.measured, measured);
}

TEST_F(SurveyTest, NothingIsBegunAfterTheTimeLimit) {
  time_limit_ = Seconds{0};
  const SurveySummary summary = survey(rig_, *store_);
  EXPECT_TRUE(summary.stopped_by_time_limit);
  EXPECT_EQ(rig_.measured, 0);
}

TEST_F(SurveyTest, IsOfInferenceAlone) {
  EXPECT_EQ(code_of([&] { suggest_survey(std::span(&network_, 1), *store_, 1, {}, options_); }),
            ErrorCode::usage);
}

TEST_F(SurveyTest, PreviewSaysWhatIsLeft) {
  const SurveyPlan before = preview_survey(std::span(&network_, 1), *store_, {}, options_);
  EXPECT_EQ(before.fusion_pairs, 6);
  EXPECT_EQ(before.at_most, options_.configurations);
  const SurveySummary summary = survey(rig_, *store_);
  const SurveyPlan after =
      preview_survey(std::span(&network_, 1), *store_, summary.profile, options_);
  EXPECT_EQ(after.fusion_pairs, 0);
  EXPECT_EQ(after.at_most, options_.configurations - summary.kernels.measured);
}

// Simulated devices are noisy; the phone computes channels in eights, which no size tells it.
struct Device {
  const char* name;
  double most;  // relative error, of energy and of time
};
void PrintTo(const Device& device, std::ostream* out) { *out << device.name; }
class SurveyedDevice : public SurveyTest, public testing::WithParamInterface<Device> {};

TEST_P(SurveyedDevice, TellsTheEnergyOfVariantsItHasNotSeen) {
  options_.configurations = 220;
  HookedRig device{open_sim_rig(GetParam().name, 1)};
  const SurveySummary summary = survey(device, *store_);
  const auto estimator = make_kernel_estimator(*store_, summary.profile, PredictorKind::gp);
  double energy_error = 0, time_error = 0;
  constexpr int kVariants = 10;
  const auto variants = draw_variants(network_, kVariants, 5);
  for (const Model& variant : variants) {
    const Estimate estimate = estimator->estimate(variant, {});
    ASSERT_TRUE(estimate.energy_j);
    EXPECT_EQ(estimate.source, Source::simulated);
    const double joules = sim_true_energy(GetParam().name, variant, inference_setup()).value;
    const double seconds = sim_true_time(GetParam().name, variant, inference_setup()).count();
    energy_error += std::abs(estimate.energy_j->mean / joules - 1) / kVariants;
    time_error += std::abs(estimate.time_s->mean / seconds - 1) / kVariants;
  }
  EXPECT_LT(energy_error, GetParam().most);
  EXPECT_LT(time_error, GetParam().most);
}

INSTANTIATE_TEST_SUITE_P(Simulated, SurveyedDevice,
                         testing::Values(Device{"oppo", 0.15}, Device{"xavier", 0.08},
                                         Device{"ideal", 0.08}));

}  // namespace
}  // namespace ampere
