#include "method/dual/dual_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ampere/block.h"
#include "ampere/error.h"
#include "ampere/estimate.h"
#include "method/dual/dual_method.h"
#include "model/draw.h"
#include "rig/sim.h"
#include "support/code_of.h"
#include "support/hooked_rig.h"
#include "support/profiling.h"

namespace ampere {
namespace {

using testing_support::code_of;
using testing_support::HookedRig;

class DualProfileTest : public testing::Test {
 protected:
  DualProfileTest() {
    options_.timings = 120;
    options_.networks = 10;
  }

  static const ProfileTask& task() {
    static const ProfileTask cnn5{{open_model("cnn5")}, draw_networks("cnn5", 60, 3)};
    return cnn5;
  }

  ProfileSummary profile(Rig& rig) {
    return testing_support::profile(*method_, task(), options_,
                                    {rig, *store_, {}, &stop_, &watcher_});
  }

  ProfileRow row() const { return store_->profiles().at(0); }

  std::optional<CrossValidation> refit() {
    return refit_dual({*store_, row().id, row().setup, StopToken(stop_), watcher_});
  }

  double estimate(const SharedDualModel& model, const Model& network) const {
    return make_dual_estimator(model)->estimate(network, {}).energy_j_per_iteration.value().mean;
  }

  std::unique_ptr<Store> store_ = open_store("memory:");
  HookedRig rig_{open_sim_rig("server", 1)};
  ProfileOptions options_;
  const std::unique_ptr<Method> method_ = make_dual_method();
  testing_support::Watcher watcher_;
  std::atomic<bool> stop_{false};
};

TEST_F(DualProfileTest, TimesMeasuresFitsAndStores) {
  const ProfileSummary summary = profile(rig_);
  const DualPlan plan = plan_dual(task(), options_);
  const std::size_t blocks = plan.blocks.size() + plan.round_blocks.size();
  EXPECT_EQ(summary.timed, static_cast<int>(blocks));
  EXPECT_EQ(summary.failed, 0);
  EXPECT_EQ(store_->timings(summary.profile).size(), blocks);
  EXPECT_EQ(summary.measured, 10 + 2 + 2)
      << "the reference again after eight and ten; the original and half of it";
  const auto original = store_->find({.profile = summary.profile,
                                      .purpose = Purpose::network,
                                      .model_hash = model_hash(task().originals[0])});
  ASSERT_EQ(original.size(), 1u);
  EXPECT_TRUE(original[0].round_widths);
  EXPECT_EQ(summary.drift->repeats, 3);
  EXPECT_EQ(rig_.idled, 1);
  ASSERT_TRUE(summary.cross_validated);
  EXPECT_EQ(summary.cross_validated->networks, summary.measured);
  EXPECT_TRUE(has_dual(*store_, summary.profile));
  EXPECT_FALSE(summary.stopped_by_time_limit);
}

TEST_F(DualProfileTest, ProgressGoesThroughAllSteps) {
  profile(rig_);
  ASSERT_FALSE(watcher_.seen.empty());
  std::vector<std::string> steps;
  for (const Progress& now : watcher_.seen)
    if (steps.empty() || steps.back() != now.step) steps.push_back(now.step);
  EXPECT_THAT(steps, testing::ElementsAre("networks measured", "blocks timed", "models fitted"));
  EXPECT_EQ(watcher_.seen.back().done, watcher_.seen.back().of);
  for (const Progress& now : watcher_.seen) EXPECT_GE(now.left.value_or(Seconds{0}).count(), 0);
}

TEST_F(DualProfileTest, TheModelIsRightAboutTheSimulatedDevice) {
  options_.timings = 250;
  options_.networks = 20;
  const SharedDualModel model = load_dual(*store_, profile(rig_).profile);
  double error = 0;
  for (const Model& network : draw_networks("cnn5", 30, 77))
    error += std::abs(estimate(model, network) / sim_true_energy("server", network, {}).value - 1);
  EXPECT_LT(error / 30, 0.06);
}

TEST_F(DualProfileTest, OneThatIsDoneAsksForNothing) {
  const ProfileSummary first = profile(rig_);
  const int before = rig_.asked();
  const ProfileSummary second = profile(rig_);
  EXPECT_EQ(rig_.asked(), before);
  EXPECT_EQ(second.timed + second.measured + second.failed, 0);
  EXPECT_EQ(second.profile, first.profile);
  EXPECT_EQ(second.cross_validated->energy_mape, first.cross_validated->energy_mape);
}

TEST_F(DualProfileTest, OneThatIsCutShortGoesOnWhereItWas) {
  HookedRig steady(open_sim_rig("server", 1));
  profile(steady);
  for (const int measured : {0, 1, 4}) {
    store_ = open_store("memory:");
    HookedRig cut(open_sim_rig("server", 1));
    cut.before_measuring = [&](const Model&) {
      if (cut.measured == measured) stop_ = true;
    };
    EXPECT_EQ(code_of([&] { profile(cut); }), ErrorCode::interrupted);
    stop_ = false;
    EXPECT_EQ(row().observations, measured + 1) << "what had begun is kept";
    cut.before_measuring = {};
    profile(cut);
    EXPECT_EQ(cut.measured, steady.measured);
    EXPECT_EQ(cut.timed, steady.timed);
    EXPECT_EQ(cut.idled, 1) << "after " << measured;
  }
}

TEST_F(DualProfileTest, TimingsThatWereTakenAreKeptWhateverEndsIt) {
  HookedRig steady(open_sim_rig("server", 1));
  profile(steady);
  for (const ErrorCode code : {ErrorCode::interrupted, ErrorCode::no_meter}) {
    store_ = open_store("memory:");
    HookedRig cut(open_sim_rig("server", 1));
    cut.before_timing = [&](const Model&) {
      if (cut.timed == 50) throw Error(code, "ended");
    };
    EXPECT_EQ(code_of([&] { profile(cut); }), code);
    EXPECT_EQ(store_->timings(row().id).size(), 50u - 14u) << "14 are of whole networks";
    cut.before_timing = {};
    profile(cut);
    EXPECT_EQ(cut.timed, steady.timed);
  }
}

TEST_F(DualProfileTest, BlocksThatCannotBeTimedAreKeptAsFailures) {
  int asked = 0;
  rig_.before_timing = [&](const Model&) {
    if (++asked % 10 == 0) throw Error(ErrorCode::failed, "out of memory");
  };
  const ProfileSummary summary = profile(rig_);
  EXPECT_GT(summary.failed, 5);
  EXPECT_TRUE(summary.cross_validated);
  EXPECT_THAT(summary.warnings, testing::Contains(testing::HasSubstr("out of memory")));
  const auto timings = store_->timings(summary.profile);
  EXPECT_EQ(std::ranges::count_if(timings, [](const auto& t) { return !t.timing; }),
            summary.failed);
  const int before = rig_.timed;
  EXPECT_EQ(profile(rig_).failed, 0) << "what failed is not tried again";
  EXPECT_EQ(rig_.timed, before);
}

TEST_F(DualProfileTest, NetworksThatCannotBeMeasuredDoNotStopIt) {
  int asked = 0;
  rig_.before_measuring = [&](const Model&) {
    if (++asked % 4 == 2) throw Error(ErrorCode::failed, "out of memory");
  };
  const ProfileSummary summary = profile(rig_);
  EXPECT_EQ(summary.failed, 4);
  EXPECT_TRUE(summary.cross_validated);
  EXPECT_EQ(row().failures, 4);
}

TEST_F(DualProfileTest, TooLittleIsSaidAndNothingIsFitted) {
  options_.networks = 1;
  const ProfileSummary summary = profile(rig_);
  EXPECT_FALSE(summary.cross_validated);
  EXPECT_FALSE(has_dual(*store_, summary.profile));
  EXPECT_EQ(load_dual(*store_, summary.profile), nullptr);
  EXPECT_FALSE(refit());
  EXPECT_THAT(summary.warnings, testing::Contains(testing::HasSubstr("too little")));
}

TEST_F(DualProfileTest, ARigThatCannotTimeIsRefused) {
  rig_.can_time_steps = false;
  EXPECT_EQ(code_of([&] { profile(rig_); }), ErrorCode::usage);
  EXPECT_EQ(rig_.asked(), 0);
}

TEST_F(DualProfileTest, ARigThatCannotRestIsProfiledWithout) {
  rig_.can_rest = false;
  const ProfileSummary summary = profile(rig_);
  EXPECT_EQ(rig_.idled, 0);
  EXPECT_TRUE(summary.cross_validated);
}

TEST_F(DualProfileTest, NothingIsBegunAfterTheTimeLimit) {
  options_.time_limit = Seconds(0);
  const ProfileSummary summary = profile(rig_);
  EXPECT_TRUE(summary.stopped_by_time_limit);
  EXPECT_EQ(rig_.asked(), 0);
  EXPECT_FALSE(summary.cross_validated);
}

TEST_F(DualProfileTest, HalfTheTimeMeasuresHalfOfTheNetworksAndTimesHalfOfTheBlocks) {
  options_.time_limit = Seconds(3600);
  profile(rig_);
  const int networks = rig_.measured, blocks = rig_.timed;
  HookedRig interrupted{open_sim_rig("server", 1)};
  int left = (networks + blocks) / 2;
  const auto stop = [&](const Model&) {
    if (left-- == 0) throw Error(ErrorCode::interrupted, "interrupted");
  };
  interrupted.before_measuring = interrupted.before_timing = stop;
  store_ = open_store("memory:");
  EXPECT_THROW(profile(interrupted), Error);
  EXPECT_NEAR(interrupted.measured, networks / 2, 2);
  EXPECT_NEAR(interrupted.timed, blocks / 2, 2);
  EXPECT_TRUE(refit().has_value()) << "what there is makes a profile";
}

TEST_F(DualProfileTest, OnlyWhatARecordingAnswersIsAskedOfIt) {
  const DualPlan plan = plan_dual(task(), options_);
  const std::string reference = model_hash(plan.networks.front());
  rig_.has_answer = [&](const Model& model) { return model_hash(model) != reference; };
  rig_.before_measuring = [&](const Model& model) {
    if (!rig_.has_answer(model)) throw Error(ErrorCode::unknown, "not in the recording");
  };
  int asked = 0;
  rig_.before_timing = [&](const Model&) {
    if (++asked % 3 == 0) throw Error(ErrorCode::unknown, "not in the recording");
  };
  options_.only_answerable = true;
  const ProfileSummary summary = profile(rig_);
  EXPECT_EQ(summary.measured, 9 + 2);
  EXPECT_EQ(summary.failed, 0);
  EXPECT_LT(store_->timings(summary.profile).size(), plan.blocks.size());
}

// Recordings from before there were networks at round widths have no answers for them.
TEST_F(DualProfileTest, RoundWidthsThatTheRigHasNoAnswerForArePassedOver) {
  const DualPlan plan = plan_dual(task(), options_);
  std::set<std::string> unheard;
  for (const Model& network : plan.round_networks) unheard.insert(model_hash(network));
  for (const BlockToTime& block : plan.round_blocks) unheard.insert(model_hash(block.model));
  rig_.has_answer = [&](const Model& model) { return !unheard.contains(model_hash(model)); };
  rig_.before_timing = [&](const Model& model) {
    if (!rig_.has_answer(model)) throw Error(ErrorCode::unknown, "not in the recording");
  };
  const ProfileSummary summary = profile(rig_);
  EXPECT_EQ(summary.measured, 10 + 2);
  EXPECT_EQ(summary.timed, static_cast<int>(plan.blocks.size()));
  EXPECT_EQ(summary.failed, 0);
  EXPECT_TRUE(summary.cross_validated);
}

// They are far from all that was drawn, and say nothing of how far the model is off among these.
TEST_F(DualProfileTest, RoundWidthsAreNotLeftOutToSeeHowFarTheModelIsOff) {
  const ProfileSummary summary = profile(rig_);
  std::vector<Observation> networks =
      store_->find({.profile = summary.profile, .purpose = Purpose::network});
  const auto error = [&] {
    return check_of(*fit_dual({{}, store_->timings(summary.profile), networks, {}})).energy_mape;
  };
  const double kept = error();
  for (Observation& network : networks) network.round_widths = false;
  EXPECT_NE(error(), kept);
  std::set<std::string> round;
  for (const Model& network : plan_dual(task(), options_).round_networks)
    round.insert(model_hash(network));
  for (Observation& network : networks)
    network.round_widths = round.contains(model_hash(network.model));
  EXPECT_EQ(error(), kept);
}

TEST_F(DualProfileTest, WithoutThatWishAMissingAnswerEndsIt) {
  rig_.before_timing = [&](const Model&) { throw Error(ErrorCode::unknown, "no answer"); };
  HookedRig& rig = rig_;
  EXPECT_EQ(code_of([&] { profile(rig); }), ErrorCode::unknown);
}

TEST_F(DualProfileTest, AMapOnlyForTheKindsThatAreAskedAnswersTheSame) {
  const std::int64_t id = profile(rig_).profile;
  const Model network = draw_networks("cnn5", 1, 77)[0];
  std::vector<std::string> kinds;
  for (const Block& block : parse_blocks(network)) kinds.push_back(block.kind->key);
  EXPECT_EQ(estimate(load_dual(*store_, id, kinds), network),
            estimate(load_dual(*store_, id), network));
  const Estimate partial =
      make_dual_estimator(load_dual(*store_, id, {kinds[0], "unheard of"}))->estimate(network, {});
  EXPECT_FALSE(partial.uncovered.empty());
}

TEST_F(DualProfileTest, TheStoredModelIsTheFittedOne) {
  const std::int64_t id = profile(rig_).profile;
  const SharedDualModel fitted = fit_dual(dual_evidence(*store_, id, row().setup)),
                        loaded = load_dual(*store_, id);
  for (const Model& network : draw_networks("cnn5", 10, 77))
    EXPECT_NEAR(estimate(fitted, network), estimate(loaded, network), 1e-12);
}

TEST_F(DualProfileTest, ARunAddedLaterMovesItsPrediction) {
  const std::int64_t id = profile(rig_).profile;
  const Model network = draw_networks("cnn5", 1, 77)[0];
  const double before = estimate(load_dual(*store_, id), network);
  Observation run = observe_with_times(rig_, network, nullptr, {}, {});
  for (Quantity* value : {&run.measurement->energy_j, &run.measurement->time_s}) value->mean *= 3;
  const double measured = run.measurement->energy_j.mean;
  store_->add(id, run);
  ASSERT_TRUE(refit());
  const double after = estimate(load_dual(*store_, id), network);
  EXPECT_LT(std::abs(after - measured), std::abs(before - measured));
}

TEST_F(DualProfileTest, CostsWhatWasMeasuredAndTimed) {
  const ProfileSummary summary = profile(rig_);
  const MeasuringCost cost = dual_cost(*store_, row(), task().originals);
  EXPECT_EQ(cost.points, summary.timed + summary.measured);
  double seconds = 0;
  for (const BlockTiming& timing : store_->timings(summary.profile))
    seconds += timing.timing->elapsed.count();
  EXPECT_GT(seconds, 0);
  for (const Observation& network :
       store_->find({.profile = summary.profile, .purpose = Purpose::network}))
    seconds += network.measurement->elapsed.count() + network.timing->elapsed.count();
  EXPECT_NEAR(cost.seconds.count(), seconds, 1e-9);
}

class PacedProfileTest : public DualProfileTest {
 protected:
  // Slower from one network to the next; a network takes three times as long as the reference.
  PacedProfileTest() {
    rig_.pacer = [&](const Model&, const Model& reference) {
      references_.push_back(model_hash(reference));
      const double reference_s = 0.001 * rig_.paced;
      return Pace{3 * reference_s, reference_s, "", Seconds{0.75}};
    };
  }

  const Model reference_ = plan_dual(task(), options_).networks.front();
  std::vector<std::string> references_;
};

TEST_F(PacedProfileTest, EveryNetworkIsPacedAgainstTheReferenceAndThatIsStored) {
  const ProfileSummary summary = profile(rig_);
  EXPECT_EQ(rig_.paced, summary.measured);
  EXPECT_THAT(references_, testing::Each(model_hash(reference_)));
  double reference_s = 0;
  for (const Observation& network :
       store_->find({.profile = summary.profile, .purpose = Purpose::network})) {
    ASSERT_TRUE(network.pace);
    EXPECT_EQ(network.pace->reference, model_hash(reference_));
    EXPECT_NEAR(network.pace->reference_s, reference_s += 0.001, 1e-12);
    EXPECT_NEAR(network.pace->time_s, 3 * reference_s, 1e-12);
  }
  EXPECT_EQ(profile(rig_).measured, 0) << "what is stored is not asked for again";
  EXPECT_EQ(rig_.paced, summary.measured);
}

TEST_F(PacedProfileTest, TheUsualHostIsTheMeanReferenceAndThePowerAtRest) {
  const ProfileSummary summary = profile(rig_);
  const auto host = find_usual_host(*store_, summary.profile, reference_);
  ASSERT_TRUE(host);
  EXPECT_NEAR(host->reference_s, 0.001 * (1 + summary.measured) / 2, 1e-12);
  EXPECT_GT(host->ready_w, 0);
  EXPECT_FALSE(find_usual_host(*store_, summary.profile, open_model("lenet5"))) << "no reference";
}

TEST_F(PacedProfileTest, TheUsualHostIsUnknownWithoutRest) {
  rig_.can_rest = false;
  EXPECT_FALSE(find_usual_host(*store_, profile(rig_).profile, reference_));
}

TEST_F(PacedProfileTest, TheUsualHostIsUnknownWithoutAPace) {
  rig_.pacer = {};
  const ProfileSummary summary = profile(rig_);
  EXPECT_EQ(rig_.paced, 0) << "simulated devices cannot";
  EXPECT_TRUE(summary.cross_validated);
  EXPECT_FALSE(find_usual_host(*store_, summary.profile, reference_));
}

TEST_F(PacedProfileTest, APaceThatFailsIsLeftOutAndNothingElse) {
  rig_.pacer = [&](const Model&, const Model&) -> Pace {
    throw Error(ErrorCode::failed, "both do not fit");
  };
  const ProfileSummary summary = profile(rig_);
  EXPECT_EQ(summary.failed, 0);
  EXPECT_TRUE(summary.cross_validated);
  for (const Observation& network :
       store_->find({.profile = summary.profile, .purpose = Purpose::network})) {
    EXPECT_TRUE(network.measurement);
    EXPECT_FALSE(network.pace);
  }
}

TEST_F(PacedProfileTest, PacesArePartOfWhatAProfileCosts) {
  const ProfileSummary summary = profile(rig_);
  const Seconds with = dual_cost(*store_, row(), task().originals).seconds;
  double without = 0;
  for (const BlockTiming& timing : store_->timings(summary.profile))
    without += timing.timing->elapsed.count();
  for (const Observation& network :
       store_->find({.profile = summary.profile, .purpose = Purpose::network}))
    without += network.measurement->elapsed.count() + network.timing->elapsed.count();
  EXPECT_NEAR(with.count() - without, 0.75 * summary.measured, 1e-9);
}

TEST_F(DualProfileTest, ASynchronousDeviceIsProfiledToo) {
  HookedRig ideal(open_sim_rig("ideal", 1));
  const SharedDualModel model = load_dual(*store_, profile(ideal).profile);
  double error = 0;
  for (const Model& network : draw_networks("cnn5", 20, 77))
    error += std::abs(estimate(model, network) / sim_true_energy("ideal", network, {}).value - 1);
  EXPECT_LT(error / 20, 0.05);
}

class RefiningTest : public DualProfileTest {
 protected:
  RefiningTest() : id_(profile(rig_).profile) {}

  void refine() {
    const testing_support::TestBench bench{rig_, *store_};
    const auto plan = method_->refinement(network_, {rig_, *store_, id_, {}});
    ASSERT_NE(plan, nullptr);
    bench.campaign().run(*plan);
    method_->remember(*store_, id_, network_);
  }
  double estimated() const { return estimate(load_dual(*store_, id_), network_); }

  const Model network_ = draw_networks("cnn5", 1, 77)[0];
  const std::int64_t id_;
};

TEST_F(RefiningTest, TimesOnlyWhatIsNewAndStoresIt) {
  const std::size_t before = store_->timings(id_).size();
  const int timed = rig_.timed, measured = rig_.measured;
  const double known = estimated();
  refine();
  const int fresh = rig_.timed - timed;
  EXPECT_GT(fresh, 0);
  EXPECT_LE(fresh, static_cast<int>(parse_blocks(network_).size()));
  EXPECT_EQ(rig_.measured, measured) << "the network itself never runs";
  EXPECT_EQ(store_->timings(id_).size(), before + static_cast<std::size_t>(fresh));
  const double refined = estimated();
  EXPECT_NE(refined, known);
  refine();
  EXPECT_EQ(rig_.timed, timed + fresh);
  EXPECT_NEAR(estimated(), refined, 1e-12) << "what was timed then is still known";
}

TEST_F(RefiningTest, SurvivesABlockThatCannotBeTimed) {
  const std::size_t before = store_->timings(id_).size();
  rig_.before_timing = [](const Model&) { throw Error(ErrorCode::failed, "out of memory"); };
  const double known = estimated();
  refine();
  EXPECT_EQ(estimated(), known);
  EXPECT_GT(store_->timings(id_).size(), before);
}

TEST_F(RefiningTest, AKindThatWasNeverTimedCannotBeRefined) {
  EXPECT_EQ(method_->refinement(open_model("lstm"), {rig_, *store_, id_, {}}), nullptr);
}

}  // namespace
}  // namespace ampere
