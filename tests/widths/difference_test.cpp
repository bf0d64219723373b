// What every method has to keep to that knows the interval of a difference.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>

#include "ampere/estimate.h"
#include "ampere/model.h"
#include "profiles.h"

namespace ampere {
namespace {

struct Case {
  const char* method;
  std::function<std::unique_ptr<Estimator>()> make;
};

class Difference : public testing::TestWithParam<Case> {
 protected:
  const Estimator& estimator() {
    if (!estimator_) estimator_ = GetParam().make();
    return *estimator_;
  }
  CostDifference between(const char* before, const char* after) {
    return estimator().difference(open_model(before), open_model(after)).value();
  }
  Estimate estimate(const char* network) { return estimator().estimate(open_model(network), {}); }

 private:
  std::unique_ptr<Estimator> estimator_;
};

constexpr const char* kOriginal = "cnn5:16,32,64,128";
constexpr const char* kOneNarrower = "cnn5:12,32,64,128";
constexpr const char* kAllOthers = "cnn5:9,21,43,87";

TEST_P(Difference, OfANetworkFromItselfIsNothingForCertain) {
  const CostDifference none = between(kOriginal, kOriginal);
  const double energy_sd = estimate(kOriginal).energy_j_per_iteration->stddev.value();
  EXPECT_EQ(none.energy_j.mean, 0);
  EXPECT_EQ(none.time_s.mean, 0);
  EXPECT_LT(none.energy_j.stddev.value(), 1e-6 * energy_sd);
}

TEST_P(Difference, IsThatOfTheEstimates) {
  for (const char* after : {kOneNarrower, kAllOthers}) {
    const Estimate a = estimate(kOriginal), b = estimate(after);
    const CostDifference found = between(kOriginal, after);
    const double energy_j = b.energy_j_per_iteration->mean - a.energy_j_per_iteration->mean;
    EXPECT_NEAR(found.energy_j.mean / energy_j, 1, 1e-9) << after;
    const double time_s = b.time_s_per_iteration->mean - a.time_s_per_iteration->mean;
    EXPECT_NEAR(found.time_s.mean / time_s, 1, 1e-9) << after;
  }
}

TEST_P(Difference, HasAnotherSignTheOtherWayRound) {
  const CostDifference there = between(kOriginal, kAllOthers),
                       back = between(kAllOthers, kOriginal);
  EXPECT_NEAR(there.energy_j.mean, -back.energy_j.mean, 1e-12);
  EXPECT_NEAR(there.energy_j.stddev.value() / back.energy_j.stddev.value(), 1, 1e-9);
  EXPECT_NEAR(there.time_s.stddev.value() / back.time_s.stddev.value(), 1, 1e-9);
}

TEST_P(Difference, IsMoreCertainThanTwoEstimatesAndMostSoForASmallChange) {
  const auto of_independent = [&](const char* after) {
    return std::hypot(estimate(kOriginal).energy_j_per_iteration->stddev.value(),
                      estimate(after).energy_j_per_iteration->stddev.value());
  };
  const double small = between(kOriginal, kOneNarrower).energy_j.stddev.value();
  const double large = between(kOriginal, kAllOthers).energy_j.stddev.value();
  EXPECT_LT(small, 0.7 * of_independent(kOneNarrower));
  EXPECT_LE(large, of_independent(kAllOthers) * (1 + 1e-9));
  EXPECT_LT(small, large);
  EXPECT_GT(small, 0) << "a block that only one of them has is not certain";
}

TEST_P(Difference, FromANetworkThatIsNotCoveredIsNotKnown) {
  EXPECT_FALSE(estimator().difference(open_model(kOriginal), open_model("lstm")));
  EXPECT_FALSE(estimator().difference(open_model("lstm"), open_model(kOriginal)));
}

INSTANTIATE_TEST_SUITE_P(
    Methods, Difference,
    testing::Values(Case{"dual",
                         [] { return make_dual_estimator(dual_profile("server", "cnn5", 16)); }},
                    Case{"dual_synchronous",
                         [] { return make_dual_estimator(dual_profile("xavier", "cnn5", 10)); }},
                    Case{"ampere",
                         [] {
                           return make_ampere_estimator(
                               curved_fits({open_model(kOriginal), open_model(kOneNarrower),
                                            open_model(kAllOthers)}));
                         }}),
    [](const auto& test) { return std::string(test.param.method); });

}  // namespace
}  // namespace ampere
