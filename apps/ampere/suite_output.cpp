#include "suite_output.h"

#include <fmt/format.h>

#include "base/json_text.h"
#include "evaluate/suite_json.h"
#include "print.h"

namespace ampere {
namespace {

std::string off(double estimated, double measured) {
  return signed_percent(estimated / measured - 1);
}

std::vector<std::string> cells(const SuiteResult& result) {
  if (!result.measured || result.estimates.empty())
    return {result.entry, "-", "-", "-", "-", result.failure.substr(0, result.failure.find('\n'))};
  const double energy_j = result.measured->energy_j.mean;
  const auto way = [&](SuiteWay which) {
    return off(result.estimates[static_cast<std::size_t>(which)].energy_j.mean, energy_j);
  };
  return {
      result.entry,         with_unit(energy_j, "J"), with_unit(result.measured->time_s.mean, "s"),
      way(SuiteWay::alone), way(SuiteWay::at_hand),   ""};
}

}  // namespace

void print_suite(const std::vector<SuiteResult>& results) {
  std::vector<std::vector<std::string>> rows{
      {"step", "energy", "time", "profile alone", "device at hand", ""}};
  for (const SuiteResult& result : results) rows.push_back(cells(result));
  print_table(rows);
  const std::vector<SuiteScore> scores = score_suite(results);
  if (scores.empty()) return;
  std::vector<std::vector<std::string>> summary{
      {"energy by", "steps", "mean error", "90 % below", "bias", "coverage", "time, mean error"}};
  for (const SuiteScore& score : scores)
    summary.push_back({score.name, std::to_string(score.steps), percent(score.energy_mape),
                       percent(score.energy_p90), signed_percent(score.energy_bias),
                       score.energy_coverage ? percent(*score.energy_coverage) : "-",
                       score.time_mape ? percent(*score.time_mape) : "-"});
  fmt::print("\n");
  print_table(summary);
}

void print_suite_json(const std::vector<SuiteResult>& results) {
  for (const SuiteResult& result : results)
    fmt::print("{}\n", json_text(suite_result_json(result)));
  Json scores = Json::array();
  for (const SuiteScore& score : score_suite(results)) scores.push_back(suite_score_json(score));
  fmt::print("{}\n", json_text(Json{{"scores", std::move(scores)}}));
}

}  // namespace ampere
