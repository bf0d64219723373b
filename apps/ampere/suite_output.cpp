#include "suite_output.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/json_text.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "command_line.h"
#include "evaluate/suite_answers.h"
#include "evaluate/suite_json.h"
#include "print.h"
#include "report/bundle.h"
#include "report/evaluate_json.h"
#include "report/suite_page.h"
#include "report_output.h"
#include "setup/setup_json.h"

namespace ampere {
namespace {

std::string off(double estimated, double measured) {
  return signed_percent(estimated / measured - 1);
}

std::string share(const std::optional<double>& value) { return value ? percent(*value) : "-"; }

ReportOutput page_of(const std::string& folder, const SuiteFile& file) {
  ReportOutput output;
  output.file = (std::filesystem::path(folder) / (file.steps.name + ".html")).string();
  output.command = command_as_typed();
  return output;
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

void print_suite(const std::vector<SuiteResult>& results, std::span<const SuitePeer> peers) {
  std::vector<std::vector<std::string>> rows{
      {"step", "energy", "time", "profile alone", "device at hand", ""}};
  for (const SuiteResult& result : results) rows.push_back(cells(result));
  print_table(rows);
  const std::vector<SuiteScore> scores = score_suite(results, peers);
  if (scores.empty()) return;
  std::vector<std::vector<std::string>> summary{
      {"energy by", "steps", "mean error", "90 % below", "bias", "coverage", "time, mean error"}};
  for (const SuiteScore& score : scores)
    summary.push_back({score.name, std::to_string(score.steps), share(score.energy_mape),
                       share(score.energy_p90),
                       score.energy_bias ? signed_percent(*score.energy_bias) : "-",
                       share(score.energy_coverage), share(score.time_mape)});
  fmt::print("\n");
  print_table(summary);
}

void print_suite_json(const std::vector<SuiteResult>& results, std::span<const SuitePeer> peers) {
  for (const SuiteResult& result : results)
    fmt::print("{}\n", json_text(suite_result_json(result)));
  Json scores = Json::array();
  for (const SuiteScore& score : score_suite(results, peers))
    scores.push_back(suite_score_json(score));
  fmt::print("{}\n", json_text(Json{{"scores", std::move(scores)}}));
}

void print_suite_plan(const SuiteFile& file, bool json) {
  Json families = Json::array(), steps = Json::array();
  std::vector<std::vector<std::string>> rows{{"entry", "what is done"}};
  for (const SuiteFamily& each : file.families) {
    families.push_back({{"family", each.family},
                        {"setup", setup_json(each.setup)},
                        {"networks", each.networks},
                        {"methods", each.methods},
                        {"seconds", each.seconds ? Json(each.seconds->count()) : Json(nullptr)}});
    rows.push_back({fmt::format("{}, {}", each.family, to_string(each.setup)),
                    fmt::format("{} measured twice", counted(each.networks, "network"))});
  }
  for (const SuiteEntry& each : file.steps.entries) {
    steps.push_back(each.name);
    rows.push_back({each.name, "estimated, then measured once"});
  }
  if (!json) return print_table(rows);
  fmt::print("{}\n", json_text(Json{{"suite", file.steps.name},
                                    {"families", std::move(families)},
                                    {"steps", std::move(steps)}}));
}

void check_suite_page(const std::string& folder, const SuiteFile& file) {
  check_output(page_of(folder, file));
}

void write_suite(const std::string& folder, const SuiteFile& file, const DeviceInfo& device,
                 const std::vector<SuiteResult>& results, std::span<const Evaluation> families,
                 std::span<const SuitePeer> peers) {
  const std::string base = (std::filesystem::path(folder) / file.steps.name).string();
  std::vector<ReportItem> items;
  for (const Evaluation& each : families)
    items.push_back({each.family, "", evaluation_json(each).dump()});
  if (!results.empty()) {
    Json json = suite_page_json(file.steps.name, device, results, peers);
    Json scores = Json::array();
    for (const SuiteScore& score : score_suite(results, peers))
      scores.push_back(suite_score_json(score));
    json["scores"] = std::move(scores);
    write_whole_file(base + ".json", json_text(json, 1) + "\n");
    write_whole_file(base + ".csv", suite_csv(results, device.source, peers));
    items.push_back({file.steps.name, "", json.dump()});
  }
  const ReportOutput output = page_of(folder, file);
  const ReportHead head =
      head_of(output, fmt::format("suite {} on {}", file.steps.name, device.name));
  write_whole_file(output.file, report_html(head.title, evaluate_payload(head, items),
                                            {report_page(), report_style(), report_script()}));
}

}  // namespace ampere
