// Comparing at the speed the host had while profiling.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "ampere/evaluate.h"
#include "base/json.h"
#include "paced_evaluation.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::PacedEvaluation;

Model net(std::int64_t width) {
  ModelBuilder builder("net" + std::to_string(width));
  builder.add(Input{flat(8)});
  builder.add(Linear{width});
  return std::move(builder).build();
}

Measurement measured(double energy_j, double time_s) {
  Window window;
  window.iterations = 1000;
  window.time = Seconds{1000 * time_s};
  window.energy = Joules{1000 * energy_j};
  Measurement measurement;
  measurement.windows = {window};
  summarize(measurement);
  return measurement;
}

EvaluatedNetwork network(std::int64_t width, double estimate_j) {
  EvaluatedNetwork network;
  network.model = net(width);
  network.estimates["dual"] = {point(estimate_j), std::nullopt, ""};
  return network;
}

// At rest the device takes 100 W; the reference usually takes 2 ms.
Evaluation steady_evaluation() {
  // Waits for the host, which was 10 % and 30 % slow. Steady: 5 ms, 1.05 J and 1.15 J.
  EvaluatedNetwork by_host = network(1, 1.1);
  by_host.device_s = 0.001;
  by_host.measurements = {measured(1.1, 0.0055), measured(1.3, 0.0065)};
  by_host.paces = {Pace{0.0055, 0.0022, "", {}}, Pace{0.0065, 0.0026, "", {}}};

  // Waits for the device, whatever the host does: 4 J + 100 W (10.1 − 10) ms = 4.01 J.
  EvaluatedNetwork by_device = network(2, 1.1 * 4.01);
  by_device.device_s = 0.01;
  by_device.measurements = {measured(4, 0.01), measured(4, 0.01)};
  by_device.paces = {Pace{0.0101, 0.003, "", {}}, Pace{0.0101, 0.003, "", {}}};

  EvaluatedNetwork half_known = network(3, 3);
  half_known.measurements = {measured(2, 0.01), measured(2, 0.01)};
  half_known.paces = {Pace{0.01, 0.0027, "", {}}, std::nullopt};

  Evaluation evaluation;
  evaluation.family = "nets";
  evaluation.device.name = "bench";
  evaluation.device.fingerprint = fingerprint_of(evaluation.device);
  evaluation.begun_at = "2026-01-31T12:00:00Z";
  evaluation.steady = SteadyHost{net(4), 0.002, 100};
  evaluation.methods = {{"dual", 7, Seconds{9}}};
  evaluation.networks = {by_host, by_device, half_known};
  return evaluation;
}

TEST(SteadyScore, ComparesAtTheUsualSpeedOfTheHost) {
  const Scores scores = score(steady_evaluation());
  const MethodScore& dual = scores.methods.at("dual");
  EXPECT_NEAR(dual.energy.value().mape, (0.1 / 1.2 + 0.411 / 4 + 0.5) / 3, 1e-9);
  EXPECT_EQ(dual.compared, 3);
  EXPECT_NEAR(dual.steady.value().mape, (0 + 0.1) / 2, 1e-9) << "the third lacks a pace";
  EXPECT_NEAR(dual.steady->bias, 0.05, 1e-9);
}

TEST(SteadyScore, HasItsOwnRepeatNoise) {
  const Scores scores = score(steady_evaluation());
  EXPECT_NEAR(scores.energy_repeat_noise.value(), (0.2 / 1.1) / 3, 1e-9);
  EXPECT_NEAR(scores.steady_repeat_noise.value(), (0.1 / 1.05) / 2, 1e-9);
}

TEST(SteadyScore, HostDriftIsTheReferenceOverItsUsualTime) {
  EXPECT_NEAR(score(steady_evaluation()).host_drift.value(), 0.0027 / 0.002 - 1, 1e-9);
}

TEST(SteadyScore, IsAbsentWhereTheUsualHostIsNotKnown) {
  Evaluation unsteady = steady_evaluation();
  unsteady.steady.reset();
  const Scores scores = score(unsteady);
  EXPECT_TRUE(scores.methods.at("dual").energy);
  EXPECT_FALSE(scores.methods.at("dual").steady);
  EXPECT_FALSE(scores.steady_repeat_noise);
  EXPECT_FALSE(scores.host_drift);
}

TEST(SteadyScore, IsAbsentWhereNothingWasPaced) {
  for (const bool nulls : {true, false}) {
    Evaluation unpaced = steady_evaluation();
    for (EvaluatedNetwork& each : unpaced.networks) each.paces.assign(nulls ? 2 : 0, std::nullopt);
    const Scores scores = score(unpaced);
    EXPECT_TRUE(scores.methods.at("dual").energy);
    EXPECT_FALSE(scores.methods.at("dual").steady);
    EXPECT_FALSE(scores.steady_repeat_noise);
    EXPECT_FALSE(scores.host_drift);
  }
}

TEST(EvaluationText, KeepsPacesNullsAndDeviceTimes) {
  const std::string text = to_text(steady_evaluation());
  const Evaluation back = parse_evaluation(text, "text");
  EXPECT_EQ(to_text(back), text);
  ASSERT_TRUE(back.steady);
  EXPECT_EQ(model_hash(back.steady->reference), model_hash(net(4)));
  EXPECT_EQ(back.steady->reference_s, 0.002);
  EXPECT_EQ(back.steady->ready_w, 100);
  EXPECT_EQ(back.networks.at(0).device_s, 0.001);
  EXPECT_EQ(back.networks.at(2).device_s, std::nullopt);
  ASSERT_EQ(back.networks.at(2).paces.size(), 2u);
  EXPECT_EQ(back.networks.at(2).paces.at(0).value().reference_s, 0.0027);
  EXPECT_FALSE(back.networks.at(2).paces.at(1));
  EXPECT_EQ(score(back).methods.at("dual").steady->mape,
            score(steady_evaluation()).methods.at("dual").steady->mape);
}

TEST(EvaluationText, OfBeforeThereWerePacesIsRead) {
  Json json = Json::parse(to_text(steady_evaluation()));
  json.erase("steady");
  for (Json& each : json["networks"]) {
    each.erase("paces");
    each.erase("device_s");
  }
  const Evaluation old = parse_evaluation(json.dump(), "old");
  EXPECT_FALSE(old.steady);
  EXPECT_TRUE(old.networks.at(0).paces.empty());
  EXPECT_FALSE(old.networks.at(0).device_s);
  const Scores scores = score(old);
  EXPECT_EQ(scores.methods.at("dual").energy->mape,
            score(steady_evaluation()).methods.at("dual").energy->mape);
  EXPECT_FALSE(scores.methods.at("dual").steady);
}

TEST(EvaluationText, NamesThePaceThatCannotBe) {
  Json json = Json::parse(to_text(steady_evaluation()));
  json["networks"][1]["paces"][0]["reference_s"] = 0;
  try {
    parse_evaluation(json.dump(), "text");
    FAIL() << "read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("networks[1].paces[0].reference_s"));
  }
}

TEST_F(PacedEvaluation, PacesEveryMeasurementAgainstTheReferenceOfTheProfile) {
  const std::string reference = model_hash(task_.training.front());
  rig_.pacer = [&](const Model& model, const Model& other) {
    EXPECT_EQ(model_hash(other), reference);
    return Pace{0.01, is_test(model) ? 0.0022 : 0.002, "", Seconds{0.5}};
  };
  const Evaluation evaluated = run();
  ASSERT_TRUE(evaluated.steady);
  EXPECT_EQ(model_hash(evaluated.steady->reference), reference);
  EXPECT_NEAR(evaluated.steady->reference_s, 0.002, 1e-12);
  for (const EvaluatedNetwork& each : evaluated.networks) {
    ASSERT_EQ(each.paces.size(), 2u);
    EXPECT_TRUE(each.paces[0] && each.paces[1]);
    EXPECT_TRUE(each.device_s);
  }
  EXPECT_NEAR(score(evaluated).host_drift.value(), 0.1, 1e-9);
}

TEST_F(PacedEvaluation, GoesWithoutWhereTheRigCannot) {
  const Evaluation evaluated = run();
  EXPECT_FALSE(evaluated.steady);
  EXPECT_EQ(rig_.paced, 0);
  EXPECT_TRUE(score(evaluated).methods.at("dual").energy);
}

}  // namespace
}  // namespace ampere
