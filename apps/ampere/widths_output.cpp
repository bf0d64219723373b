#include "widths_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <thread>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/or_null.h"
#include "base/read_line.h"
#include "base/text.h"
#include "print.h"
#include "remedies.h"
#include "report/width_cost_json.h"

namespace ampere {
namespace {

// Many points in one line are as long as this.
constexpr std::uint64_t kLongestRequest = std::uint64_t{1} << 30;

std::string signed_joules(double value) {
  return (value < 0 ? "-" : "+") + with_unit(std::abs(value), "J");
}

std::string steps_text(const WidthSensitivity& width) {
  std::string text;
  for (const WidthStep& step : width.steps)
    text += fmt::format("{}{} → {}: {}", text.empty() ? "" : ", ", step.from, step.to,
                        signed_joules(step.joules));
  return text.empty() ? "none" : text;
}

}  // namespace

Sensitivity sensitivity_of(const Model& model, const Answer& answer, const Session& session) {
  const auto judge = session.estimator(answer.profile.row, answer.method, &model)->judge(model);
  return sensitivity(model, *judge);
}

void print_sensitivity(const Sensitivity& sensitivity) {
  fmt::print("\n");
  std::vector<std::vector<std::string>> rows{{"width", "channels", "energy per channel",
                                              "of the energy", "time per channel", "scanned",
                                              "steps that stand out"}};
  for (const WidthSensitivity& width : sensitivity.widths)
    rows.push_back(
        {width.name, std::to_string(width.width), signed_joules(width.j_per_channel),
         percent(width.share), width.s_per_channel ? with_unit(*width.s_per_channel, "s") : "–",
         fmt::format("from {} to {}", width.scanned_from, width.scanned_to), steps_text(width)});
  print_table(rows);
  const auto by_channel =
      std::ranges::max_element(sensitivity.widths, {}, &WidthSensitivity::j_per_channel);
  const auto by_share = std::ranges::max_element(sensitivity.widths, {}, &WidthSensitivity::share);
  fmt::print("a channel costs most in {}; {} as a whole pays most\n", by_channel->name,
             by_share->name);
}

Json sensitivity_json(const Sensitivity& sensitivity) {
  Json widths = Json::array();
  for (const WidthSensitivity& width : sensitivity.widths) {
    Json steps = Json::array();
    for (const WidthStep& step : width.steps)
      steps.push_back({{"from", step.from}, {"to", step.to}, {"energy_j", step.joules}});
    widths.push_back({{"name", width.name},
                      {"channels", width.width},
                      {"multiple_of", width.multiple_of},
                      {"energy_j_per_channel", width.j_per_channel},
                      {"time_s_per_channel", or_null(width.s_per_channel)},
                      {"share_of_energy", width.share},
                      {"scanned", {width.scanned_from, width.scanned_to}},
                      {"steps", std::move(steps)}});
  }
  return widths;
}

void stream_widths(const std::string& name, const Model& model, const Answer& answer,
                   const Session& session) {
  const auto estimator = session.estimator(answer.profile.row, answer.method, &model);
  std::vector<std::unique_ptr<WidthJudge>> judges;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
    judges.push_back(estimator->judge(model));
  WidthCost cost(model, std::move(judges));
  fmt::print("{}\n", json_text(width_cost_head(name, cost, answer)));
  std::fflush(stdout);
  for (std::string line; read_line(std::cin, line, "standard input", kLongestRequest);) {
    if (trim(line).empty()) continue;
    if (session.stop().stop_requested()) throw Error(ErrorCode::interrupted, "interrupted");
    try {
      fmt::print("{}\n", json_text(answer_width_request(parse_json(line, "a request"), cost)));
    } catch (const Error& error) {
      fmt::print(
          "{}\n",
          json_text(Json{
              {"error", {{"code", to_string(error.code())}, {"message", with_remedy(error)}}}}));
    }
    std::fflush(stdout);
  }
}

}  // namespace ampere
