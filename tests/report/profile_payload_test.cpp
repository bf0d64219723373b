#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/estimate.h"
#include "base/json.h"
#include "method/ampere/fit.h"
#include "method/ampere/kind_points.h"
#include "method/ampere/test_points.h"
#include "method/dual/dual_profile.h"
#include "report/known.h"
#include "report/report.h"

namespace ampere {
namespace {

using testing_support::kHead;
using testing_support::Known;

class ProfileReport : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    known_ = std::make_unique<Known>();
    known_->profile_ampere(8, 5);
    known_->profile_dual();
    fits_ = read_fits(known_->store->fits(known_->row().id));
    payload_ = Json::parse(profile_payload(kHead, *known_->store, known_->row(), {"dual"}));
  }
  static void TearDownTestSuite() { known_.reset(); }

  static const Json& content() { return payload_.at("content"); }
  static const KindFit& fit_of(const Json& kind) { return fits_.at(kind.at("key")); }
  static const Json& kind_with(std::size_t features) {
    for (const Json& kind : content().at("kinds"))
      if (kind.at("feature_names").size() == features) return kind;
    throw std::logic_error("no such kind");
  }

  static std::unique_ptr<Known> known_;
  static Fits fits_;
  static Json payload_;
};
std::unique_ptr<Known> ProfileReport::known_;
Fits ProfileReport::fits_;
Json ProfileReport::payload_;

double number(const Json& json) { return json.get<double>(); }

// What is drawn has 6 digits.
void expect_close(const Json& drawn, double exact) {
  EXPECT_NEAR(number(drawn), exact, 1e-5 * std::abs(exact));
}

TEST_F(ProfileReport, SaysWhatItIs) {
  EXPECT_EQ(payload_.at("report"), "profile");
  EXPECT_EQ(payload_.at("title"), "A title");
  EXPECT_EQ(payload_.at("made_at"), "2026-01-31T12:00:00Z");
  EXPECT_EQ(content().at("profile").at("methods"), Json::array({"dual"}));
  EXPECT_EQ(content().at("profile").at("rig"), "test");
}

TEST_F(ProfileReport, HasEveryPointOfEveryKindAsItWasFitted) {
  const std::vector<KindPoints> kinds = kind_points(*known_->store, known_->row());
  ASSERT_EQ(content().at("kinds").size(), kinds.size());
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const Json& kind = content().at("kinds")[k];
    EXPECT_EQ(kind.at("title"), kinds[k].title);
    ASSERT_EQ(kind.at("points").size(), kinds[k].points.size());
    for (std::size_t i = 0; i < kinds[k].points.size(); ++i) {
      const Json& point = kind.at("points")[i];
      EXPECT_EQ(point.at("features"), Json(kinds[k].points[i].features));
      EXPECT_EQ(point.at("order"), i + 1);
      EXPECT_EQ(number(point.at("energy_j")), kinds[k].points[i].energy_j);
      EXPECT_EQ(number(point.at("time_s")), kinds[k].points[i].time_s);
      EXPECT_EQ(point.at("training_flops"), kinds[k].points[i].training_flops);
    }
  }
}

TEST_F(ProfileReport, EveryPointHasTheWindowsItWasMeasuredIn) {
  for (const Json& kind : content().at("kinds")) {
    const auto observations = known_->store->find({.profile = known_->row().id,
                                                   .purpose = Purpose::variant,
                                                   .kind = kind.at("key").get<std::string>()});
    for (const Json& point : kind.at("points")) {
      const Json& windows = content().at("windows").at(point.at("windows").get<std::size_t>());
      const Observation& origin = observations.at(point.at("order").get<std::size_t>() - 1);
      EXPECT_EQ(point.at("taken_at"), origin.taken_at);
      ASSERT_EQ(windows.size(), origin.measurement->windows.size());
      EXPECT_EQ(windows[0][0], origin.measurement->windows[0].iterations);
      EXPECT_EQ(number(windows[0][2]), origin.measurement->windows[0].energy.value);
    }
  }
  EXPECT_EQ(content().at("windows_left_out"), 0);
}

TEST_F(ProfileReport, ACurveIsTheFittedProcessWithItsBand) {
  const Json& kind = kind_with(1);
  const Json& curve = kind.at("curve");
  const KindFit& fit = fit_of(kind);
  ASSERT_LE(curve.at("x").size(), 60u);
  ASSERT_GE(curve.at("x").size(), 10u);
  EXPECT_EQ(curve.at("x").front(), fit.low[0]);
  EXPECT_EQ(curve.at("x").back(), fit.high[0]);
  for (std::size_t i = 0; i < curve.at("x").size(); ++i) {
    const Quantity exact =
        fit.energy.predict(Eigen::VectorXd::Constant(1, number(curve.at("x")[i])));
    expect_close(curve.at("mean")[i], exact.mean);
    EXPECT_NEAR(number(curve.at("high")[i]) - number(curve.at("low")[i]),
                2 * 1.6449 * exact.stddev.value(), 1e-4 * exact.mean);
  }
}

TEST_F(ProfileReport, ASurfaceIsTheFittedProcessOverTwoWidths) {
  const Json& kind = kind_with(2);
  const Json& surface = kind.at("surface");
  ASSERT_LE(surface.at("x").size(), 32u);
  ASSERT_EQ(surface.at("mean").size(), surface.at("y").size()) << "a row a y";
  for (const std::size_t row : {std::size_t{0}, surface.at("y").size() - 1}) {
    ASSERT_EQ(surface.at("mean")[row].size(), surface.at("x").size());
    const Eigen::Vector2d at(number(surface.at("x")[3]), number(surface.at("y")[row]));
    const Quantity exact = fit_of(kind).energy.predict(at);
    expect_close(surface.at("mean")[row][3], exact.mean);
    expect_close(surface.at("stddev")[row][3], exact.stddev.value());
  }
  EXPECT_EQ(surface.at("fixed"), Json::object());
}

TEST_F(ProfileReport, UncertaintyFallsAsPointsAreMeasured) {
  for (const Json& kind : content().at("kinds")) {
    const Json& uncertainty = kind.at("uncertainty");
    EXPECT_EQ(uncertainty.back().at("points"), kind.at("points").size());
    EXPECT_LT(number(uncertainty.back().at("share")), number(uncertainty.front().at("share")));
  }
}

TEST_F(ProfileReport, TheLastStepIsTheCurve) {
  const Json& kind = kind_with(1);
  EXPECT_EQ(kind.at("steps").size(), kind.at("points").size());
  EXPECT_EQ(kind.at("steps").back().at("mean"), kind.at("curve").at("mean"));
  EXPECT_NE(kind.at("steps").front().at("mean"), kind.at("curve").at("mean"));
}

TEST_F(ProfileReport, ResidualsAreOfTheFit) {
  const Json& kind = kind_with(2);
  const Json& point = kind.at("points")[2];
  const Eigen::Vector2d at(number(point.at("features")[0]), number(point.at("features")[1]));
  expect_close(point.at("fitted_j"), fit_of(kind).energy.predict(at).mean);
  expect_close(point.at("fitted_s"), fit_of(kind).time.predict(at).mean);
}

TEST_F(ProfileReport, HasEveryTestPointBesideWhatTheFitSaysThere) {
  std::size_t all = 0;
  for (const Json& kind : content().at("kinds")) {
    const KindTests tests = kind_tests(*known_->store, known_->row().id, fits_, kind.at("key"));
    ASSERT_EQ(kind.at("tests").size(), tests.points.size());
    ASSERT_GT(tests.points.size(), 0u) << kind.at("title");
    EXPECT_EQ(kind.at("tests_failed"), 0);
    EXPECT_FALSE(kind.at("more_tests").get<bool>());
    all += tests.points.size();
    for (std::size_t i = 0; i < tests.points.size(); ++i) {
      const Json& shown = kind.at("tests")[i];
      const TestPoint& test = tests.points[i];
      EXPECT_EQ(shown.at("features"), Json(test.features));
      EXPECT_EQ(number(shown.at("energy_j")), test.energy_j);
      expect_close(shown.at("energy_sd"), test.energy_sd);
      EXPECT_EQ(number(shown.at("time_s")), test.time_s);
      expect_close(shown.at("estimated_j").at("mean"), test.estimated_j.mean);
      expect_close(shown.at("estimated_j").at("stddev"), test.estimated_j.stddev.value());
      EXPECT_EQ(number(shown.at("relative_difference")), test.estimated_j.mean / test.energy_j - 1);
      EXPECT_EQ(shown.at("taken_at"), test.taken_at);
      const Json& windows = content().at("windows").at(shown.at("windows").get<std::size_t>());
      EXPECT_EQ(number(windows.at(0).at(2)), test.measurement.windows[0].energy.value);
    }
  }
  EXPECT_EQ(content().at("profile").at("tests"), all);
}

TEST_F(ProfileReport, TheDualModelIsShownOnItsOwnNetworks) {
  const Json& dual = content().at("dual");
  const SharedDualModel model = load_dual(*known_->store, known_->row().id);
  EXPECT_EQ(dual.at("check").at("networks"), check_of(*model).networks);
  EXPECT_EQ(number(dual.at("check").at("energy_mape")), check_of(*model).energy_mape);
  const auto networks =
      known_->store->find({.profile = known_->row().id, .purpose = Purpose::network});
  ASSERT_EQ(dual.at("networks").size(), networks.size());
  const Estimate exact = make_dual_estimator(model)->estimate(networks[1].model, {});
  expect_close(dual.at("networks")[1].at("fitted_j"), exact.energy_j_per_iteration->mean);
  EXPECT_EQ(number(dual.at("networks")[1].at("measured_j")),
            networks[1].measurement->energy_j.mean);
  EXPECT_FALSE(dual.at("more_networks").get<bool>());
}

TEST_F(ProfileReport, EveryTimedBlockIsBesideWhatTheMapSays) {
  std::size_t points = 0;
  for (const Json& kind : content().at("dual").at("timings")) {
    EXPECT_NE(kind.at("title"), kind.at("key")) << "known from the networks";
    for (const Json& point : kind.at("points")) {
      ++points;
      EXPECT_EQ(point.at("features").size(), kind.at("feature_names").size());
      EXPECT_NEAR(number(point.at("predicted_device_s")) / number(point.at("device_s")), 1, 0.5);
    }
  }
  EXPECT_EQ(points, known_->store->timings(known_->row().id).size());
}

TEST(ProfileReportOf, AProfileOfOneMethodSaysWhyTheOtherIsEmpty) {
  Known known;
  known.profile_ampere(3);
  const Json content =
      Json::parse(profile_payload(kHead, *known.store, known.row(), {})).at("content");
  EXPECT_TRUE(content.at("dual").is_null());
  EXPECT_TRUE(content.at("dual_reason").is_string());
  EXPECT_TRUE(content.at("kinds_reason").is_null());
  for (const Json& kind : content.at("kinds")) EXPECT_EQ(kind.at("tests"), Json::array());
}

TEST(ProfileReportOf, WhatATestCouldNotMeasureIsCounted) {
  Known known;
  known.profile_ampere(4, 2);
  const std::int64_t id = known.row().id;
  const std::string key = known.store->fits(id).front().kind;
  Observation failed =
      known.store->find({.profile = id, .purpose = Purpose::test, .kind = key}).front();
  failed.measurement.reset();
  failed.failure = "out of memory";
  known.store->add(id, failed);
  const Json content =
      Json::parse(profile_payload(kHead, *known.store, known.row(), {})).at("content");
  const Json& kind = content.at("kinds").at(0);
  EXPECT_EQ(kind.at("key"), key);
  EXPECT_EQ(kind.at("tests").size(), 2u);
  EXPECT_EQ(kind.at("tests_failed"), 1);
}

TEST(ProfileReportOf, AnEmptyProfileIsEmptyForAReason) {
  Known known;
  known.store->open_profile(known.rig->device(), {}, "sim:xavier");
  const Json content =
      Json::parse(profile_payload(kHead, *known.store, known.row(), {})).at("content");
  EXPECT_EQ(content.at("kinds"), Json::array());
  EXPECT_TRUE(content.at("kinds_reason").is_string());
}

}  // namespace
}  // namespace ampere
