#include "ampere/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "ampere/error.h"
#include "support/code_of.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::code_of;

// One simulated device, profiled once for all tests that only ask.
class SessionTest : public testing::Test {
 protected:
  static ProfileRequest request() {
    ProfileRequest request;
    request.models = {open_model("lenet5")};
    request.options.timings = 80;
    request.options.networks = 10;
    return request;
  }

  void profile() { session_.profile(request(), device_); }
  double energy(const Model& model) const {
    return session_.estimate(model, {}, {}).estimate.energy_j.value().mean;
  }
  std::int64_t stored(Purpose purpose) const {
    return static_cast<std::int64_t>(
        session_.store().find({.profile = 1, .purpose = purpose}).size());
  }

  std::unique_ptr<Rig> rig_ = open_rig("sim:server");
  NamedRig device_{*rig_, "sim:server"};
  Session session_{open_store("memory:")};
  const Model network_ = open_model("lenet5:4,8,60,42");
};

TEST_F(SessionTest, ProfilesThenEstimatesWithAnInterval) {
  const ProfileSummary summary = session_.profile(request(), device_);
  EXPECT_EQ(summary.method, "dual");
  EXPECT_TRUE(summary.cross_validated);
  const Answer answer = session_.estimate(network_, {}, {.iterations = 100});
  EXPECT_EQ(answer.method, "dual");
  EXPECT_EQ(answer.estimate.source, Source::simulated);
  const Interval energy = answer.estimate.energy_j.value();
  EXPECT_LT(energy.low, energy.mean);
  EXPECT_LT(energy.mean, energy.high);
  EXPECT_EQ(session_.profile(request(), device_).measured, 0) << "everything is known";
}

TEST_F(SessionTest, APreviewCountsWhatIsThenMeasured) {
  const ProfilePreview before = session_.preview(request(), *rig_);
  const ProfileSummary summary = session_.profile(request(), device_);
  EXPECT_GE(before.timings, summary.timed);
  EXPECT_GT(before.networks, 0);
  const ProfilePreview after = session_.preview(request(), *rig_);
  EXPECT_EQ(after.timings + after.networks, 0);
}

TEST_F(SessionTest, WithoutAProfileNothingIsKnownAndTheErrorSaysHowToGoOn) {
  try {
    session_.estimate(network_, {}, {});
    FAIL() << "answered";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown);
    EXPECT_EQ(error.remedy(), Remedy::profile);
  }
}

TEST_F(SessionTest, SurveysKernelsThatEstimatesOfInferenceRestOn) {
  SurveyRequest request{.networks = {open_model("lenet5")}};
  request.options.configurations = 40;
  EXPECT_EQ(session_.preview(request, *rig_).at_most, 40);
  const SurveySummary summary = session_.kernels(request, device_);
  EXPECT_GT(summary.kernels.measured, 0);
  EXPECT_FALSE(summary.gp.fits.empty());

  const ProfileRow profile = session_.find_profile(std::to_string(summary.profile));
  const KnownKernels known = session_.known_kernels(profile);
  EXPECT_THAT(known.predictors, ElementsAre(PredictorKind::gp, PredictorKind::forest));
  const auto& [type, fit] = *summary.gp.fits.begin();
  EXPECT_EQ(known.rows.at(type), fit.rows);
  EXPECT_EQ(session_.kernel_table(profile, TableLevel::kernel).environment.at("device"),
            rig_->device().name);
  EXPECT_TRUE(
      session_.estimate(open_model("lenet5"), {.setup = inference_setup()}, {}).estimate.energy_j);
}

TEST_F(SessionTest, PredictsAKernelAndRefusesOneThatNobodyMeasured) {
  EnergyTable table;
  table.environment = {{"device", "phone"}, {"source", "measured"}};
  for (int size = 1; size <= 8; ++size)
    table.rows.push_back({.name = "relu",
                          .config = {{"HW", 8 * size}, {"CIN", 16}},
                          .energy_j = 1e-4 * size * size});
  const ProfileRow profile =
      session_.find_profile(std::to_string(session_.keep_kernels(table).at(0)));
  EXPECT_EQ(code_of([&] { session_.kernel_predictor(profile, PredictorKind::gp); }),
            ErrorCode::unknown)
      << "not fitted yet";
  EXPECT_EQ(session_.fit_kernels(profile, {PredictorKind::gp}, 0).fitted.at(0).fits.size(), 1u);
  const auto predictor = session_.kernel_predictor(profile, PredictorKind::gp);
  EXPECT_NEAR(predictor->predict("relu", {{"HW", 32}, {"CIN", 16}}).energy_j.mean, 16e-4, 2e-4);
  EXPECT_EQ(code_of([&] { predictor->predict("softmax", {{"CIN", 16}}); }), ErrorCode::unknown);
}

TEST_F(SessionTest, ScoresADeviceOnce) {
  const ScoreTask task{
      .device = "server", .delegate = "GPU", .networks = {open_model("lenet5")}, .precision = {}};
  EXPECT_FALSE(session_.scored_as(rig_->device()));
  EXPECT_EQ(session_.score(task, device_), 1);
  EXPECT_EQ(session_.score(task, device_), 0) << "it is in the store";
  EXPECT_EQ(session_.scored_as(rig_->device()), "server");
  ASSERT_EQ(session_.score_cells().size(), 1u);
  EXPECT_GT(session_.score_cells().front().energy_j, 0);
}

TEST_F(SessionTest, MethodsOfAProfileAreThoseItHasEvidenceFor) {
  profile();
  const ProfileRow row = session_.find_profile("1");
  EXPECT_THAT(session_.methods_of(row), ElementsAre("dual"));
  ProfileRequest published = request();
  published.method = "ampere";
  published.options.points = 4;
  session_.profile(published, device_);
  EXPECT_THAT(session_.methods_of(session_.find_profile("1")), ElementsAre("dual", "ampere"));
  EXPECT_EQ(session_.estimate(network_, {.method = "ampere"}, {}).method, "ampere");
}

TEST_F(SessionTest, ARunIsLearntFromUnlessItIsOnlyACheck) {
  profile();
  const double before = energy(network_);
  const std::int64_t networks = stored(Purpose::network);
  session_.run(network_, {}, {}, device_, Learning::no);
  EXPECT_EQ(stored(Purpose::check), 1);
  EXPECT_EQ(energy(network_), before);
  EXPECT_THAT(session_.methods_of(session_.find_profile("1")), ElementsAre("dual"));
  session_.run(network_, {}, {}, device_, Learning::yes);
  EXPECT_EQ(stored(Purpose::network), networks + 1);
  EXPECT_NE(energy(network_), before);
}

TEST_F(SessionTest, AnEstimateLeansOnRunsOfTheVeryNetwork) {
  profile();
  const double run = session_.run(network_, {}, {}, device_, Learning::yes).energy_j.mean;
  const Estimate leaning = session_.estimate(network_, {}, {}).estimate;
  const double by_laws = session_.estimator(session_.find_profile("1"), "dual", &network_)
                             ->estimate(network_, {})
                             .energy_j->mean;
  EXPECT_EQ(leaning.earlier_runs, 1);
  EXPECT_GT(leaning.between_runs.value().energy, 0);
  EXPECT_GE(leaning.energy_j->mean, std::min(run, by_laws));
  EXPECT_LE(leaning.energy_j->mean, std::max(run, by_laws));
  EXPECT_EQ(session_.estimate(open_model("lenet5:4,8,60,43"), {}, {}).estimate.earlier_runs, 0);
}

TEST_F(SessionTest, RefiningTimesTheBlocksAndNeverRunsTheNetwork) {
  profile();
  const std::int64_t networks = stored(Purpose::network);
  const std::size_t timings = session_.store().timings(1).size();
  const Model unseen = open_model("lenet5:5,13,97,71");
  const Answer refined = session_.refine(unseen, {}, {}, device_);
  EXPECT_TRUE(refined.estimate.energy_j);
  EXPECT_GT(session_.store().timings(1).size(), timings);
  EXPECT_EQ(stored(Purpose::network), networks);
}

TEST_F(SessionTest, RefiningOnAnotherDeviceIsRefused) {
  profile();
  const auto other = open_rig("sim:xavier");
  const NamedRig xavier{*other, "sim:xavier"};
  EXPECT_EQ(code_of([&] { session_.refine(network_, {}, {}, xavier); }), ErrorCode::unknown);
  EXPECT_EQ(code_of([&] { session_.refine(network_, {.profile = "1"}, {}, xavier); }),
            ErrorCode::usage);
}

TEST_F(SessionTest, ACheckComparesWithTheTruth) {
  profile();
  const Workload workload{.iterations = 50};
  const Answer answer = session_.estimate(network_, {}, workload);
  const Check check = session_.check(network_, answer, workload, {}, device_, Learning::no);
  const double measured = 50 * check.measured.energy_j.mean;
  EXPECT_NEAR(check.energy_difference.value(), answer.estimate.energy_j->mean / measured - 1,
              1e-12);
  EXPECT_EQ(check.energy_inside.value(), answer.estimate.energy_j->low <= measured &&
                                             measured <= answer.estimate.energy_j->high);
}

TEST_F(SessionTest, AnswersManyNetworksAsItAnswersOne) {
  profile();
  const auto answerer = session_.answerer({});
  for (const char* spec : {"lenet5", "lenet5:4,8,60,42", "lenet5:2,3,17,29"}) {
    const Model model = open_model(spec);
    EXPECT_NEAR(answerer->answer(model, {}).estimate.energy_j->mean / energy(model), 1, 1e-12);
  }
}

TEST_F(SessionTest, StopsWhenItsCallerAsksAndGoesOnLater) {
  std::atomic<bool> stop{false};
  class Stopping : public Listener {
   public:
    explicit Stopping(std::atomic<bool>& stop) : stop_(stop) {}
    void progress(const Progress&) override { stop_ = ++calls_ == 3; }

   private:
    std::atomic<bool>& stop_;
    int calls_ = 0;
  } listener(stop);
  Session session(open_store("memory:"), StopToken(stop), &listener);
  EXPECT_EQ(code_of([&] { session.profile(request(), device_); }), ErrorCode::interrupted);
  stop = false;
  EXPECT_EQ(session.store().find({.profile = 1, .purpose = Purpose::network}).size(), 2u);
  const ProfileSummary rest = session.profile(request(), device_);
  EXPECT_GE(rest.known, 2);
  EXPECT_TRUE(rest.cross_validated);
}

TEST_F(SessionTest, PrunesByEstimateAloneAndByMeasuring) {
  profile();
  PruneTask task;
  task.original = open_model("lenet5");
  task.method = "dual";
  task.confidence = 0.6;
  task.budget = parse_budget("99%");
  task.search.draws = 2000;
  const ProfileRow row = session_.find_profile("1");
  const PruneResult estimated = session_.prune(task, row, nullptr);
  EXPECT_FALSE(estimated.pruned.measured);
  EXPECT_LE(estimated.pruned.upper_j, estimated.budget_j);
  const PruneResult measured = session_.prune(task, row, &device_);
  EXPECT_LE(measured.pruned.measured.value().energy_j.mean, measured.budget_j);
}

}  // namespace
}  // namespace ampere
