// The six families, each method with 40 seconds, from the recording of an NVIDIA H200. The figures
// are those of docs/results/h200-paper.md.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "base/json_text.h"
#include "cli.h"

namespace ampere {
namespace {

using testing_support::Cli;
using testing_support::Ran;

class RecordedPaper : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cli_ = new Cli;
    ran_ = cli_->run("evaluate --suite " AMPERE_SUITES
                     "/paper.toml --seed 21 --point-seconds 1.5 --json --store memory: "
                     "--rig recorded:" AMPERE_DATA "/h200_paper.jsonl.gz");
    std::istringstream lines(ran_.out);
    for (std::string line; std::getline(lines, line);) {
      Json json = parse_json(line, "a line");
      if (json.contains("repeat_noise")) families_[json.at("family")] = json.at("methods");
    }
  }
  static void TearDownTestSuite() { delete cli_; }

  void SetUp() override {
    ASSERT_EQ(ran_.status, 0) << ran_.err;
    ASSERT_EQ(families_.size(), 6u);
  }

  static double mape(const std::string& family, const std::string& method) {
    return families_.at(family).at(method).at("mape");
  }
  static double at_hand(const std::string& family) {
    return families_.at(family).at("dual").at("at_hand").at("mape");
  }

  static Cli* cli_;
  static Ran ran_;
  static std::map<std::string, Json> families_;  // the scores of their methods
};
Cli* RecordedPaper::cli_ = nullptr;
Ran RecordedPaper::ran_;
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
