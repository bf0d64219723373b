// What we publish of inference on a real GPU, from its recordings: the kernels of nine families
// measured alone, then variants of the families that were never measured before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/text.h"
#include "cli.h"

namespace ampere {
namespace {

using testing_support::Cli;
using testing_support::Ran;

constexpr double kHalfAPoint = 0.005;

// Rows of docs/results/h200/<name>, by their first two columns.
using Rows = std::map<std::pair<std::string, std::string>, std::vector<std::string>>;

Rows published(const std::string& name) {
  Rows rows;
  const std::vector<std::string> lines = split(read_text_file(AMPERE_PUBLISHED "/" + name), '\n');
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    std::vector<std::string> row = split(lines[i], ',');
    rows[{row.at(0), row.at(1)}] = {row.begin() + 2, row.end()};
  }
  return rows;
}

// In the order in which they were surveyed: it is a part of what was chosen.
constexpr const char* kWithoutAdditive =
    "densenet121 googlenet mobilenet_v1 mobilenet_v2 proxylessnas resnet18 shufflenet_v2";
constexpr const char* kWithAdditive = "alexnet squeezenet";

constexpr const char* kMethods = "kernels,kernels-forest,flops,flops+layers";

class RecordedKernels : public testing::Test {
 protected:
  Json survey(const std::string& recording) const {
    const Ran ran = cli_.run(
        std::string("kernels measure ") + kWithoutAdditive + " " + kWithAdditive +
        " --configurations 440 --json --store sqlite:k.db --rig recorded:" AMPERE_DATA "/" +
        recording);
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.json();
  }

  std::vector<Json> evaluate(const std::string& families, const std::string& more) const {
    const Ran ran = cli_.run("evaluate " + families +
                             " --mode inference --networks 5 --baseline-limit 10 "
                             "--precision 0.03 --point-seconds 1.4 --json --store sqlite:k.db " +
                             more);
    EXPECT_EQ(ran.status, 0) << ran.err;
    std::vector<Json> evaluations;
    for (const std::string& line : split(ran.out, '\n'))
      if (!line.empty()) evaluations.push_back(Json::parse(line));
    return evaluations;
  }

  const Cli cli_;
};

TEST_F(RecordedKernels, ThePredictorsAreAsGoodAsPublished) {
  const Rows rows = published("kernels.csv");
  const Json summary = survey("h200_kernels.jsonl.gz");
  EXPECT_EQ(summary.at("source"), "measured");
  EXPECT_EQ(summary.at("fits").size(), rows.size());
  int kernels = 0;
  for (const Json& fit : summary.at("fits")) {
    const std::vector<std::string>& row =
        rows.at({fit.at("kernel").get<std::string>(), fit.at("predictor").get<std::string>()});
    EXPECT_EQ(std::to_string(fit.at("rows").get<int>()), row.at(0));
    EXPECT_LT(fit.at("energy").at("mape").get<double>(),
              parse_number(row.at(1), "mape") + kHalfAPoint)
        << fit.at("kernel");
    if (fit.at("predictor") == "gp") kernels += fit.at("rows").get<int>();
  }
  EXPECT_EQ(kernels, 440);
}

void expect_as_published(const std::vector<Json>& all, const std::string& table) {
  const Rows rows = published(table);
  std::size_t compared = 0;
  for (const Json& evaluation : all) {
    const std::string family = evaluation.at("family");
    if (family.starts_with("all ")) continue;
    EXPECT_EQ(evaluation.at("networks").size(), 5u);
    EXPECT_TRUE(evaluation.at("host_drift").is_null()) << "nobody took a pace then";
    EXPECT_TRUE(evaluation.at("methods").at("kernels").at("at_hand").is_null());
    for (const auto& [method, score] : evaluation.at("methods").items()) {
      ++compared;
      const std::vector<std::string>& row = rows.at({family, method});
      EXPECT_LT(score.at("mape").get<double>(), parse_number(row.at(0), "mape") + kHalfAPoint)
          << family << " " << method;
      EXPECT_LT(score.at("time").at("mape").get<double>(),
                parse_number(row.at(1), "time") + kHalfAPoint)
          << family << " " << method;
    }
  }
  EXPECT_EQ(compared, rows.size());
}

TEST_F(RecordedKernels, UnseenNetworksAreEstimatedAsPublished) {
  survey("h200_kernels_first.jsonl.gz");
  const std::string recorded = " --seed 11 --rig recorded:" AMPERE_DATA
                               "/h200_inference.jsonl.gz --methods " +
                               std::string(kMethods);
  std::vector<Json> all = evaluate(kWithoutAdditive, recorded);
  for (Json& each : evaluate(kWithAdditive, recorded + ",ampere --points 4"))
    all.push_back(std::move(each));
  expect_as_published(all, "inference.csv");
}

TEST_F(RecordedKernels, OtherUnseenNetworksAreEstimatedAsPublished) {
  survey("h200_kernels.jsonl.gz");
  expect_as_published(evaluate(std::string(kWithoutAdditive) + " " + kWithAdditive,
                               " --seed 13 --rig recorded:" AMPERE_DATA
                               "/h200_inference_seed13.jsonl.gz --methods " +
                                   std::string(kMethods)),
                      "inference_seed13.csv");
}

// docs/results/inference.md: what the look at the host explains, and that the estimates of this
// small survey are no better for it. Errors may only become smaller.
TEST_F(RecordedKernels, TheHostAtHandIsAsPublished) {
  const Ran surveyed = cli_.run(
      "kernels measure squeezenet mobilenet_v2 shufflenet_v2 --configurations 130 --store "
      "sqlite:k.db --rig recorded:" AMPERE_DATA "/h200_kernels_paced.jsonl.gz");
  ASSERT_EQ(surveyed.status, 0) << surveyed.err;
  const Ran ran = cli_.run(
      "evaluate squeezenet --mode inference --networks 4 --seed 31 --measure-error 0.03 "
      "--point-seconds 1 --method kernels --json --store sqlite:k.db "
      "--rig recorded:" AMPERE_DATA "/h200_inference_paced.jsonl.gz");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  const Json& noise = json.at("repeat_noise");
  EXPECT_LT(noise.at("steady_host_mape").get<double>(), 0.5 * noise.at("mape").get<double>());
  const Json& kernels = json.at("methods").at("kernels");
  EXPECT_LT(kernels.at("mape").get<double>(), 0.234 + kHalfAPoint);
  EXPECT_LT(kernels.at("at_hand").at("mape").get<double>(), 0.294 + kHalfAPoint);
  EXPECT_LT(kernels.at("at_hand").at("time").at("mape").get<double>(), 0.112 + kHalfAPoint);
}

}  // namespace
}  // namespace ampere
