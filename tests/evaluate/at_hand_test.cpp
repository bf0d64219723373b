// Estimates made just before a measurement, for the host as the reference last saw it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "ampere/error.h"
#include "ampere/evaluate.h"
#include "base/json.h"
#include "method/dual/dual_profile.h"
#include "paced_evaluation.h"

namespace ampere {
namespace {

using testing_support::PacedEvaluation;

constexpr double kUsual = 0.002, kSlow = 0.0024;

// A GPU server whose host becomes a fifth slower once the test networks are measured.
class SlowedHost : public PacedEvaluation {
 protected:
  SlowedHost() : PacedEvaluation(6) {
    rig_.pacer = [this](const Model& model, const Model&) {
      return Pace{0.01, is_test(model) ? kSlow : kUsual, "", Seconds{0.5}};
    };
  }

  // Over what was estimated before, the least first.
  static std::vector<double> at_hand(const Evaluation& evaluation, std::size_t round) {
    std::vector<double> energies;
    for (const EvaluatedNetwork& network : evaluation.networks)
      energies.push_back(network.at_hand.at(round).value().energy_j.value().mean /
                         network.estimates.at("dual").energy_j.value().mean);
    std::ranges::sort(energies);
    return energies;
  }
};

TEST_F(SlowedHost, IsNoticedAfterItsFirstNetwork) {
  const Evaluation evaluation = run();
  const std::vector<double> first = at_hand(evaluation, 0), second = at_hand(evaluation, 1);
  EXPECT_NEAR(first.front(), 1, 1e-12) << "nothing has shown it yet";
  EXPECT_GT(first.back(), 1.05);
  EXPECT_GT(second.front(), 1.05) << "these networks wait for the host";
  EXPECT_LT(second.back(), 1.2) << "its fifth is not of the work itself";
}

TEST_F(SlowedHost, EstimatesByTheModelOfThatHost) {
  const Evaluation evaluation = run();
  const SharedDualModel dual = load_dual(*store_, store_->profiles().front().id);
  const auto slowed = make_dual_estimator(with_host(*dual, kSlow / kUsual));
  for (const EvaluatedNetwork& network : evaluation.networks) {
    const NetworkEstimate expected = estimate_network(*slowed, network.model);
    const NetworkEstimate& made = network.at_hand.at(1).value();
    EXPECT_NEAR(made.energy_j->mean, expected.energy_j->mean, 1e-12);
    EXPECT_NEAR(made.time_s->mean, expected.time_s->mean, 1e-12);
    EXPECT_NEAR(made.energy_j->high, expected.energy_j->high, 1e-12);
  }
}

// The times of networks that wait for the host tell the slowdown they were estimated for.
TEST_F(SlowedHost, IsTheSameHoweverOftenTheEvaluationWasStopped) {
  const auto slowdowns = [](const Evaluation& evaluation) {
    std::vector<double> found;
    for (const EvaluatedNetwork& network : evaluation.networks)
      for (const auto& estimate : network.at_hand)
        found.push_back(estimate.value().time_s->mean / network.estimates.at("dual").time_s->mean);
    return found;
  };
  const std::vector<double> whole = slowdowns(run());
  store_ = open_store("memory:");
  int left = 5;
  rig_.before_measuring = [&](const Model& model) {
    if (is_test(model) && left-- == 0) throw Error(ErrorCode::interrupted, "stopped");
  };
  EXPECT_THROW(run(), Error);
  EXPECT_THAT(slowdowns(run()), testing::Pointwise(testing::DoubleNear(1e-6), whole));
}

TEST_F(SlowedHost, IsNotAskedForByOtherMethods) {
  options_.methods = {"flops"};
  options_.baseline_limit = Seconds{5};
  for (const EvaluatedNetwork& network : run().networks) {
    ASSERT_EQ(network.at_hand.size(), 2u);
    EXPECT_FALSE(network.at_hand[0] || network.at_hand[1]);
  }
}

TEST_F(SlowedHost, IsUnknownWhereTheRigTakesNoPace) {
  rig_.pacer = nullptr;
  EXPECT_FALSE(score(run()).methods.at("dual").at_hand);
}

EvaluatedNetwork network(double first_j, double second_j, double measured_j) {
  EvaluatedNetwork network;
  ModelBuilder builder("net");
  builder.add(Input{flat(8)});
  builder.add(Linear{4});
  network.model = std::move(builder).build();
  network.estimates["dual"] = {point(1), std::nullopt, ""};
  const auto made = [](double energy_j) {
    return NetworkEstimate{Interval{energy_j, energy_j - 0.1, energy_j + 0.1}, std::nullopt, ""};
  };
  network.at_hand = {made(first_j), made(second_j)};
  Window window;
  window.iterations = 1;
  window.time = Seconds{1};
  window.energy = Joules{measured_j};
  Measurement measurement;
  measurement.windows = {window};
  summarize(measurement);
  network.measurements = {measurement, measurement};
  return network;
}

Evaluation evaluation() {
  Evaluation evaluation;
  evaluation.device.fingerprint = fingerprint_of(evaluation.device);
  evaluation.begun_at = "2026-01-31T12:00:00Z";
  evaluation.methods = {{"dual", 7, Seconds{9}}};
  evaluation.networks = {network(1.8, 2.0, 2.0), network(1.3, 1.3, 1.0)};
  return evaluation;
}

TEST(AtHandScore, ComparesTheMeanOfBothWithTheMeanOfBoth) {
  const MethodScore dual = score(evaluation()).methods.at("dual");
  ASSERT_TRUE(dual.at_hand);
  EXPECT_NEAR(dual.at_hand->mape, (0.05 + 0.3) / 2, 1e-12);
  EXPECT_NEAR(dual.at_hand->bias, (-0.05 + 0.3) / 2, 1e-12);
  EXPECT_NEAR(dual.at_hand->coverage.value(), 0.5, 1e-12);
  EXPECT_FALSE(dual.at_hand_time) << "none was made";
}

TEST(AtHandScore, LeavesOutNetworksThatLackOne) {
  Evaluation lacking = evaluation();
  lacking.networks[1].at_hand[0].reset();
  EXPECT_NEAR(score(lacking).methods.at("dual").at_hand.value().mape, 0.05, 1e-12);
  lacking.networks[0].at_hand.pop_back();
  EXPECT_FALSE(score(lacking).methods.at("dual").at_hand);
}

TEST(AtHandScore, SurvivesTheStoreAndIsAbsentInOlderTexts) {
  const std::string text = to_text(evaluation());
  EXPECT_EQ(to_text(parse_evaluation(text, "text")), text);
  Json older = Json::parse(text);
  for (Json& each : older["networks"]) each.erase("at_hand");
  EXPECT_FALSE(score(parse_evaluation(older.dump(), "text")).methods.at("dual").at_hand);
}

}  // namespace
}  // namespace ampere
