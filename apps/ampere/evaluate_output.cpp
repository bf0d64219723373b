#include "evaluate_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "print.h"
#include "report/evaluate_json.h"

namespace ampere {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kSteadyColumn = 10;

std::string percent_or_empty(const std::optional<double>& share) {
  return share ? percent(*share) : "";
}

void add_row(std::vector<std::string> row, const Accuracy& energy,
             const std::optional<Accuracy>& time, const std::vector<std::string>& rest,
             Rows& rows) {
  for (const double share : {energy.mape, energy.bias, energy.rmspe, energy.within_5,
                             energy.within_10, energy.within_15})
    row.push_back(percent(share));
  row.push_back(percent_or_empty(energy.coverage));
  row.push_back(time ? percent(time->mape) : "");
  row.insert(row.end(), rest.begin(), rest.end());
  rows.push_back(std::move(row));
}

void add_rows(const Evaluation& evaluation, Rows& rows) {
  const Scores scores = score(evaluation);
  for (const MethodRecord& method : evaluation.methods) {
    const MethodScore& of = scores.methods.at(method.name);
    if (!of.energy) {
      rows.push_back({evaluation.family, method.name, "nothing to compare"});
      continue;
    }
    add_row({evaluation.family, method.name}, *of.energy, of.time,
            {of.steady ? percent(of.steady->mape) : "", std::to_string(of.compared),
             std::to_string(method.points), fmt::format("{:.0f} s", method.seconds.count())},
            rows);
    if (of.at_hand)
      add_row({evaluation.family, method.name + ", at hand"}, *of.at_hand, of.at_hand_time, {},
              rows);
  }
  rows.push_back({evaluation.family, "repeat noise", percent_or_empty(scores.energy_repeat_noise),
                  "", "", "", "", "", "", percent_or_empty(scores.time_repeat_noise),
                  percent_or_empty(scores.steady_repeat_noise), "", "", ""});
  if (scores.host_drift)
    rows.push_back({evaluation.family, "host drift", signed_percent(*scores.host_drift)});
}

// A survey serves all families, so points and seconds cannot be added up: those columns are cut.
void add_summary(const Evaluation& pooled, Rows& rows) {
  const std::size_t begin = rows.size();
  add_rows(pooled, rows);
  for (std::size_t i = begin; i < rows.size(); ++i)
    if (rows[i].size() > kSteadyColumn + 2) rows[i].resize(kSteadyColumn + 2);
}

std::string accuracies(const Evaluation& pooled) {
  std::vector<std::string> texts;
  const Scores scores = score(pooled);
  for (const MethodRecord& method : pooled.methods)
    if (const MethodScore& of = scores.methods.at(method.name); of.energy)
      texts.push_back(fmt::format("{} {}", method.name, percent(1 - of.energy->mape)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

// Many surveys have no pace of the host: without one, the column would be empty.
void drop_steady_column(Rows& rows) {
  for (auto& row : rows)
    if (row.size() > kSteadyColumn) row.erase(row.begin() + kSteadyColumn);
}

void print_inference(std::span<const Evaluation> evaluations, Rows rows) {
  const Evaluation pooled = pool(evaluations);
  if (evaluations.size() > 1) add_summary(pooled, rows);
  if (std::ranges::none_of(evaluations,
                           [](const Evaluation& each) { return each.steady.has_value(); }))
    drop_steady_column(rows);
  print_table(rows);
  fmt::print("accuracy (1 - MAPE) over {}: {}\n", counted(std::ssize(pooled.networks), "network"),
             accuracies(pooled));
}

}  // namespace

Json summary_json(const Evaluation& pooled) {
  Json json = evaluation_json(pooled);
  json.erase("networks");
  for (auto& [name, method] : json["methods"].items()) {
    method.erase("points");
    method.erase("seconds");
  }
  return json;
}

void print_evaluations(std::span<const Evaluation> evaluations) {
  const Evaluation& first = evaluations.front();
  const bool inference = first.setup.phase == Phase::inference;
  fmt::print("{} ({}), {}; energy of {}\n", first.device.name, to_string(first.device.source),
             to_string(first.setup), inference ? "one inference" : "training");
  Rows rows{{"family", "method", "MAPE", "bias", "RMSPE", "in 5 %", "in 10 %", "in 15 %",
             "coverage", "time MAPE", "steady host", "networks", "points", "measuring"}};
  for (const Evaluation& evaluation : evaluations) add_rows(evaluation, rows);
  if (inference)
    print_inference(evaluations, std::move(rows));
  else
    print_table(rows);
}

}  // namespace ampere
