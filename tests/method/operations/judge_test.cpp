// The judge of widths by a general profile.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "ampere/widths.h"
#include "method/operations/operations_method.h"
#include "method/operations/simulated_profile.h"
#include "setup/general_setup.h"

namespace ampere {
namespace {

using testing::HasSubstr;

class OperationsJudge : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    store = open_store("memory:").release();
    const GeneralProfile profile = testing_support::simulated_general_profile();
    row = new ProfileRow;
    row->device = profile.device;
    row->id = store->open_profile(profile.device, general_setup(), "test");
    store->put_document(row->id, {kGeneralDocument, to_json(profile)});
  }
  static void TearDownTestSuite() {
    delete row;
    delete store;
  }
  static std::unique_ptr<Estimator> estimator(const std::string& precision = "fp32",
                                              const StepOptions& options = {}) {
    ProfileRow asked = *row;
    asked.setup.batch = 16;
    asked.setup.precision = precision;
    asked.setup.options = options;
    return make_operations_method()->load(*store, asked);
  }

  static inline Store* store = nullptr;
  static inline ProfileRow* row = nullptr;
};

TEST_F(OperationsJudge, SaysWhatTheEstimatorSays) {
  const std::pair<const char*, const char*> all[] = {
      {"cnn5", "fp32"},     {"cnn5", "fp16"},         {"lstm", "bf16"},
      {"resnet18", "fp32"}, {"mobilenet_v2", "fp32"}, {"transformer", "fp32"}};
  for (const auto& [spec, precision] : all) {
    SCOPED_TRACE(fmt::format("{} in {}", spec, precision));
    const auto estimator = this->estimator(precision);
    const Model model = open_model(spec);
    const auto judge = estimator->judge(model);
    std::vector<std::int64_t> widths;
    for (const ChannelGroup& width : free_widths(model)) widths.push_back(width.value);
    for (int i = 0; i < 4; ++i) {
      for (int again = 0; again < 2; ++again) {
        const Estimate expected =
            estimator->estimate(with_widths(model, widths), {.confidence = 0.95});
        const Judgement found = judge->judge(widths).value();
        const Interval interval = judge->energy_interval(widths, 0.95).value();
        EXPECT_NEAR(found.energy_j / expected.energy_j->mean, 1, 1e-9);
        EXPECT_NEAR(found.time_s.value() / expected.time_s->mean, 1, 1e-9);
        EXPECT_NEAR(interval.low / expected.energy_j->low, 1, 1e-9);
        EXPECT_NEAR(interval.high / expected.energy_j->high, 1, 1e-9);
        const Estimate usual = estimator->estimate(with_widths(model, widths), {});
        EXPECT_NEAR(found.energy_sd / usual.energy_j_per_iteration->stddev.value(), 1, 1e-9);
      }
      const auto groups = free_widths(model);
      for (std::size_t j = static_cast<std::size_t>(i) % 2; j < widths.size(); j += 2)
        if (widths[j] > 2 * groups[j].multiple_of) widths[j] -= groups[j].multiple_of;
    }
    const CostCauses causes = judge->causes(widths);
    EXPECT_FALSE(causes.parts.empty());
  }
}

TEST_F(OperationsJudge, SaysWhyANetworkHasNoCost) {
  const auto expect_refused = [](const Estimator& estimator, const char* spec, const char* why) {
    try {
      estimator.judge(open_model(spec));
      ADD_FAILURE() << spec << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unknown);
      EXPECT_THAT(error.what(), HasSubstr("has no cost at other widths"));
      EXPECT_THAT(error.what(), HasSubstr(why));
    }
  };
  StepOptions compiled, turned;
  compiled.compiled = true;
  turned.channels_last = true;
  expect_refused(*estimator("fp32", compiled), "cnn5", "a compiled network cannot be lowered");
  expect_refused(*estimator("fp32", turned), "cnn5", "channels last cannot be lowered for CUDA");
}

TEST_F(OperationsJudge, ItsSensitivityIsTheSlopeOfTheEstimate) {
  const auto estimator = this->estimator();
  const Model model = open_model("cnn5:8,16,32,64");
  const auto judge = estimator->judge(model);
  const Sensitivity found = sensitivity(model, *judge);
  ASSERT_EQ(found.widths.size(), 4u);
  const auto joules = [&](const char* spec) {
    return estimator->estimate(open_model(spec), {}).energy_j->mean;
  };
  const double slope = (joules("cnn5:8,16,32,64") - joules("cnn5:8,16,16,64")) / 16;
  EXPECT_NEAR(found.widths[2].j_per_channel, slope, 1e-9 * std::abs(slope));
}

}  // namespace
}  // namespace ampere
