// What the steps of a suite are compared with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluate/data_sheet.h"
#include "evaluate/suite_answers.h"
#include "evaluate/suite_json.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(DataSheets, AreFoundByTheNameOfTheDevice) {
  EXPECT_EQ(find_data_sheet("NVIDIA H200").value().watts, 700);
  EXPECT_EQ(find_data_sheet("NVIDIA A100-SXM4-80GB").value().watts, 400);
  EXPECT_EQ(find_data_sheet("NVIDIA A100 80GB PCIe").value().watts, 300);
  EXPECT_EQ(find_data_sheet("NVIDIA A10").value().watts, 150);
  for (const char* other :
       {"NVIDIA GH200 480GB", "NVIDIA A100X", "simulated GPU server", "AMD EPYC", ""})
    EXPECT_FALSE(find_data_sheet(other)) << other;
}

Interval around(double mean) { return {mean, 0.9 * mean, 1.1 * mean, 0.9}; }

// Measured at `energy_j` and half as many seconds; every way says a tenth more.
SuiteResult step(const std::string& family, double energy_j) {
  SuiteResult result;
  result.entry = family + ", batch 8";
  result.family = family;
  result.flops = 1e9 * energy_j;
  result.bytes = 1e6;
  result.operations = 10;
  result.roofline_s = 0.1 * energy_j;
  for (std::size_t way = 0; way < kSuiteWays; ++way)
    result.estimates.push_back({around(1.2 * energy_j), around(0.5 * energy_j), 0, 0});
  Measurement measured;
  measured.energy_j = {energy_j, 0.01};
  measured.time_s = {energy_j / 2, 0.01};
  result.measured = measured;
  return result;
}

SuiteScore score_named(const std::vector<SuiteScore>& scores, const std::string& name) {
  for (const SuiteScore& score : scores)
    if (score.name == name) return score;
  ADD_FAILURE() << "no score of " << name;
  return {};
}

TEST(SuiteScores, HaveTheDataSheetAndThePeersInTheSameTable) {
  std::vector<SuiteResult> results{step("a", 1), step("b", 2), step("c", 4)};
  EXPECT_EQ(score_suite(results).size(), kSuiteWays + 3)
      << "without a data sheet there is no row of it";
  for (SuiteResult& result : results) {
    result.sheet_w = 3;  // half as much again as the two watts that were measured
    result.sheet_s = result.measured->time_s.mean / 2;
  }
  results[0].methods["dual"] = {around(1.1), around(0.5), ""};
  results[1].methods["dual"].reason = "not covered";
  const SuitePeer peer{"another tool", {}, {{"a, batch 8", 0.25}, {"no such step", 1}}};
  const std::vector<SuiteScore> scores = score_suite(results, std::vector{peer});
  const SuiteScore own = score_named(scores, to_string(SuiteWay::at_hand));
  EXPECT_NEAR(own.energy_mape.value(), 0.2, 1e-9);
  EXPECT_EQ(own.energy_coverage.value(), 0);
  EXPECT_EQ(own.time_coverage.value(), 1);
  const SuiteScore sheet = score_named(scores, "roofline of the data sheet at its power");
  EXPECT_NEAR(sheet.energy_mape.value(), 0.25, 1e-9);
  EXPECT_NEAR(sheet.time_mape.value(), 0.5, 1e-9);
  EXPECT_FALSE(sheet.energy_coverage) << "it states no interval";
  const SuiteScore power = score_named(scores, "power of the data sheet, measured time");
  EXPECT_NEAR(power.energy_bias.value(), 0.5, 1e-9);
  EXPECT_FALSE(power.time_mape);
  const SuiteScore dual = score_named(scores, "dual, its own profile");
  EXPECT_EQ(dual.steps, 1) << "where it has a reason instead, it takes no part";
  EXPECT_EQ(dual.energy_coverage.value(), 1);
  const SuiteScore other = score_named(scores, "another tool");
  EXPECT_EQ(other.steps, 1);
  EXPECT_FALSE(other.energy_mape) << "it knows times alone";
  EXPECT_NEAR(other.time_mape.value(), 0.5, 1e-9);
}

TEST(SuiteScores, LeaveOutWhatWasNotMeasured) {
  std::vector<SuiteResult> results{step("a", 1), step("b", 2)};
  results[1].measured.reset();
  results[1].failure = "out of memory\nhere";
  EXPECT_EQ(score_suite(results).front().steps, 1);
  const std::string csv = suite_csv(results, Source::simulated);
  EXPECT_THAT(csv, StartsWith("entry,family,half,source,measured_j,measured_s,"));
  EXPECT_THAT(csv, HasSubstr("\"a, batch 8\",a,0,simulated,1,0.5,"));
  EXPECT_THAT(csv, HasSubstr("\"b, batch 8\",b,0,simulated,,,"));
  EXPECT_THAT(csv, HasSubstr(",out of memory\n"));
  EXPECT_TRUE(score_suite({}).empty());
}

TEST(SuiteResults, ComeBackFromTheirJson) {
  SuiteResult result = step("a", 1);
  result.sheet_s = 0.25;
  result.sheet_w = 30;
  result.methods["dual"] = {around(2), std::nullopt, ""};
  result.methods["ampere"].reason = "not covered";
  Json json = suite_result_json(result);
  const SuiteResult again = read_suite_result({json, ""});
  EXPECT_EQ(suite_result_json(again).dump(), json.dump());
  EXPECT_EQ(again.methods.at("ampere").reason, "not covered");
  for (const char* later : {"sheet_s", "sheet_w", "methods"}) json.erase(later);
  const SuiteResult earlier = read_suite_result({json, ""});
  EXPECT_FALSE(earlier.sheet_s) << "as earlier versions kept it";
  EXPECT_TRUE(earlier.methods.empty());
}

}  // namespace
}  // namespace ampere
