#include "method/ampere/fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "support/law_rig.h"

namespace ampere {
namespace {

using testing_support::additive_law;
using testing_support::LawRig;

class FitTest : public testing::Test {
 protected:
  Observation observe(const BlockKind& kind, const std::vector<std::int64_t>& features) {
    const Companions around = companions(kind, blocks_);
    Observation observation;
    observation.model = make_variant(kind, features, around);
    observation.purpose = Purpose::variant;
    observation.kind = kind.key;
    observation.features = features;
    observation.measurement = rig_.measure(observation.model, {}, {});
    return observation;
  }

  std::vector<Observation> observe_all(const BlockKind& kind,
                                       const std::vector<std::vector<std::int64_t>>& points) {
    std::vector<Observation> all;
    for (const auto& point : points) all.push_back(observe(kind, point));
    return all;
  }

  std::vector<Block> blocks_ = parse_blocks(open_model("lenet5"));
  const BlockKind& output_ = *blocks_.back().kind;
  const BlockKind& input_ = *blocks_.front().kind;
  LawRig rig_{additive_law};
};

TEST_F(FitTest, AnOutputBlockAloneCostsWhatItsVariantCosts) {
  const auto observations = observe_all(output_, {{1}, {40}, {84}});
  const KindData data = isolate(output_, observations, {});
  ASSERT_EQ(data.x.rows(), 3);
  for (int row = 0; row < 3; ++row) {
    EXPECT_DOUBLE_EQ(data.x(row, 0), static_cast<double>(observations[row].features[0]));
    EXPECT_DOUBLE_EQ(data.energy[row], observations[row].measurement->energy_j.mean);
    EXPECT_DOUBLE_EQ(data.time[row], observations[row].measurement->time_s.mean);
  }
}

TEST_F(FitTest, CompanionsAreTakenOffAndTheirUncertaintyIsAdded) {
  const auto companion = companions(input_, blocks_).output;
  Fits known;
  known.emplace(companion->key, fit_kind(*companion, observe_all(*companion, {{1}, {3}, {6}}), {}));
  const auto observations = observe_all(input_, {{2}, {5}});
  const KindData data = isolate(input_, observations, known);
  for (int row = 0; row < 2; ++row) {
    const Quantity taken =
        known.at(companion->key).energy.predict(Eigen::VectorXd::Constant(1, data.x(row, 0)));
    EXPECT_NEAR(data.energy[row], observations[row].measurement->energy_j.mean - taken.mean, 1e-15);
    EXPECT_GT(data.energy_noise_variance[row], std::pow(taken.stddev.value(), 2));
  }
}

// It used to have an error of 0, and weighed more than every other.
TEST_F(FitTest, APointFromASingleWindowIsTheLeastCertain) {
  auto observations = observe_all(output_, {{40}, {40}});
  observations[1].measurement->windows.resize(1);
  summarize(*observations[1].measurement);
  const KindData data = isolate(output_, observations, {});
  EXPECT_DOUBLE_EQ(data.energy[1], data.energy[0]);
  EXPECT_GT(data.energy_noise_variance[1], 1000 * data.energy_noise_variance[0]);
  EXPECT_GT(data.time_noise_variance[1], 1000 * data.time_noise_variance[0]);
}

TEST_F(FitTest, WithoutItsCompanionNothingIsIsolated) {
  try {
    isolate(input_, observe_all(input_, {{2}}), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown);
    EXPECT_THAT(error.what(), testing::HasSubstr("is not fitted yet"));
  }
}

TEST_F(FitTest, FailuresAreNoPoints) {
  auto observations = observe_all(output_, {{1}, {84}});
  observations.push_back(observations.back());
  observations.back().measurement.reset();
  observations.back().failure = "out of memory";
  EXPECT_EQ(isolate(output_, observations, {}).x.rows(), 2);
  EXPECT_THROW(fit_kind(output_, std::span(observations).last(1), {}), Error);
}

TEST_F(FitTest, AStoredFitPredictsTheSame) {
  const KindFit fit = fit_kind(output_, observe_all(output_, {{1}, {20}, {40}, {84}}), {});
  const KindFit read = parse_fit(to_text(fit));
  EXPECT_EQ(read.kind, fit.kind);
  EXPECT_EQ(read.features, fit.features);
  EXPECT_EQ(read.low, (std::vector<std::int64_t>{1}));
  EXPECT_EQ(read.high, (std::vector<std::int64_t>{84}));
  EXPECT_EQ(read.source, Source::simulated);
  for (const double at : {1.0, 33.0, 200.0}) {
    const Eigen::VectorXd point = Eigen::VectorXd::Constant(1, at);
    EXPECT_DOUBLE_EQ(read.energy.predict(point).mean, fit.energy.predict(point).mean);
    EXPECT_DOUBLE_EQ(read.time.predict(point).stddev.value(),
                     fit.time.predict(point).stddev.value());
  }
}

TEST_F(FitTest, ABrokenStoredFitIsRefused) {
  const std::string text = to_text(fit_kind(output_, observe_all(output_, {{1}, {84}}), {}));
  EXPECT_THROW(parse_fit("{}"), Error);
  EXPECT_THROW(parse_fit(text.substr(0, text.size() / 2)), Error);
  std::string fewer = text;
  fewer.replace(fewer.find("[[1.0],"), 7, "[");
  EXPECT_THROW(parse_fit(fewer), Error);
}

}  // namespace
}  // namespace ampere
