// The six families, each method with 40 seconds, from the recording of an NVIDIA H200. The figures
// are those of docs/results/h200-paper.md.
#include <gtest/gtest.h>

#include <map>

#include "suite_scores.h"

namespace ampere {
namespace {

using testing_support::Cli;
using testing_support::lines_of_suite;

class RecordedPaper : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const Cli cli;
    for (const Json& json :
         lines_of_suite(cli, "paper", "h200_paper", "memory:", "--seed 21 --point-seconds 1.5"))
      if (json.contains("repeat_noise")) families_[json.at("family")] = json.at("methods");
  }

  void SetUp() override { ASSERT_EQ(families_.size(), 6u); }

  static double mape(const std::string& family, const std::string& method) {
    return families_.at(family).at(method).at("mape");
  }
  static double at_hand(const std::string& family) {
    return families_.at(family).at("dual").at("at_hand").at("mape");
  }

  static std::map<std::string, Json> families_;  // by name: the scores of its methods
};
std::map<std::string, Json> RecordedPaper::families_;

TEST_F(RecordedPaper, DualIsAsNearAsPublished) {
  const std::map<std::string, std::pair<double, double>> published{
      {"lenet5", {0.054, 0.072}}, {"cnn5", {0.043, 0.057}},        {"har", {0.131, 0.080}},
      {"lstm", {0.060, 0.051}},   {"transformer", {0.051, 0.043}}, {"resnet18", {0.171, 0.172}}};
  double covered = 0;
  for (const auto& [family, errors] : published) {
    EXPECT_LT(mape(family, "dual"), errors.first) << family;
    EXPECT_LT(at_hand(family), errors.second) << family;
    covered += families_.at(family).at("dual").at("coverage_90").get<double>() / 6;
  }
  EXPECT_GE(covered, 0.86);
}

TEST_F(RecordedPaper, OthersAreAsFarOffAsPublished) {
  EXPECT_NEAR(mape("lenet5", "ampere"), 0.079, 0.005);
  EXPECT_NEAR(mape("transformer", "ampere"), 0.044, 0.005);
  EXPECT_NEAR(mape("resnet18", "ampere"), 0.581, 0.005);
  EXPECT_NEAR(mape("lstm", "flops+layers"), 0.052, 0.005);
  EXPECT_NEAR(mape("resnet18", "flops+layers"), 0.142, 0.005);
}

// Live, nothing new was begun after 40 s. What a family shares with those before it counts, too.
TEST_F(RecordedPaper, NoMethodRestsOnMuchMoreThanItsSeconds) {
  for (const auto& [family, methods] : families_)
    for (const auto& [method, score] : methods.items()) {
      const double seconds = score.at("seconds");
      EXPECT_GT(seconds, 20) << family << ", " << method;
      EXPECT_LT(seconds, 56) << family << ", " << method;
    }
}

}  // namespace
}  // namespace ampere
