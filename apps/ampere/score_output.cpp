#include "score_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/or_null.h"
#include "print.h"

namespace ampere {
namespace {

template <class Of>
std::vector<std::string> different(const ScoreReport& report, const std::string& device,
                                   const Of& of) {
  std::vector<std::string> texts;
  for (const ScoreCell& cell : report.cells) {
    if (cell.device != device) continue;
    const std::string text = of(cell);
    if (!text.empty() && std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  }
  return texts;
}

std::vector<std::string> delegates_of(const ScoreReport& report, const std::string& device) {
  return different(report, device, [](const ScoreCell& cell) { return cell.delegate; });
}

// The sources of a device's joules; cells without joules are skipped.
std::vector<std::string> sources_of(const ScoreReport& report, const std::string& device) {
  return different(report, device, [](const ScoreCell& cell) {
    return cell.energy_j || cell.power_w ? to_string(cell.source) : std::string{};
  });
}

std::string reference_of(const ScoreReport& report) {
  return report.options.reference.empty() ? report.cells.front().device : report.options.reference;
}

Json one_score_json(const Score& score) {
  Json missing = Json::array();
  for (const MissingCell& cell : score.missing)
    missing.push_back(
        {{"network", cell.network}, {"delegate", cell.delegate}, {"reason", cell.reason}});
  return {{"value", or_null(score.value)},
          {"reason", score.value ? Json(nullptr) : Json(score.reason)},
          {"shared_cells", score.shared},
          {"missing_cells", std::move(missing)}};
}

Json cell_json(const ScoreCell& cell) {
  return {{"device", cell.device},
          {"delegate", cell.delegate},
          {"network", cell.network},
          {"energy_j", or_null(cell.energy_j)},
          {"power_w", or_null(cell.power_w)},
          {"latency_s", or_null(cell.latency_s)},
          {"source", to_string(cell.source)},
          {"reason", cell.reason.empty() ? Json(nullptr) : Json(cell.reason)}};
}

std::string or_dash(const std::optional<double>& value, const char* unit) {
  return value ? with_unit(*value, unit) : "-";
}

void print_cells(const ScoreReport& report) {
  std::vector<std::vector<std::string>> rows{
      {"network", "delegate", "energy", "power", "latency", "source"}};
  for (const ScoreCell& cell : report.cells)
    if (cell.device == report.device)
      rows.push_back({cell.network, cell.delegate, or_dash(cell.energy_j, "J"),
                      or_dash(cell.power_w, "W"), or_dash(cell.latency_s, "s"),
                      cell.energy_j ? to_string(cell.source) : cell.reason});
  fmt::print("{}, one inference at a time\n{}\n", report.device, table_text(rows));
}

std::string score_text(const Score& score) {
  return score.value ? fmt::format("{:.1f}", *score.value) : "none";
}

std::string why_none(const Score& score) {
  return score.reason + (score.set_aside > 0 ? "; --mix compares them nevertheless" : "");
}

void print_comparison(const ScoreReport& report) {
  const std::vector<DeviceScore> scores = score_devices(report.cells, report.options);
  std::vector<std::vector<std::string>> rows{
      {"device", "IECS", "PCS", "cells", "energies", "delegates"}};
  for (const DeviceScore& score : scores)
    rows.push_back({score.device, score_text(score.iecs), score_text(score.pcs),
                    fmt::format("{} of {}", score.iecs.shared,
                                score.iecs.shared + static_cast<int>(score.iecs.missing.size())),
                    fmt::format("{}", fmt::join(sources_of(report, score.device), " and ")),
                    fmt::format("{}", fmt::join(delegates_of(report, score.device), ", "))});
  fmt::print("{} = 100; higher is better\n{}", reference_of(report), table_text(rows));
  for (const DeviceScore& score : scores) {
    if (!score.iecs.value) fmt::print("no IECS of {}: it {}\n", score.device, why_none(score.iecs));
    if (!score.pcs.value && score.pcs.reason != score.iecs.reason)
      fmt::print("no PCS of {}: it {}\n", score.device, why_none(score.pcs));
  }
}

}  // namespace

Json score_json(const ScoreReport& report) {
  Json devices = Json::array(), cells = Json::array();
  for (const DeviceScore& score : score_devices(report.cells, report.options))
    devices.push_back({{"device", score.device},
                       {"iecs", one_score_json(score.iecs)},
                       {"pcs", one_score_json(score.pcs)},
                       {"sources", sources_of(report, score.device)},
                       {"delegates", delegates_of(report, score.device)}});
  for (const ScoreCell& cell : report.cells) cells.push_back(cell_json(cell));
  Json json{{"reference", reference_of(report)},
            {"device", report.device.empty() ? Json(nullptr) : Json(report.device)},
            {"measured", report.measured},
            {"mixed_sources", report.options.mixed},
            {"devices", std::move(devices)},
            {"cells", std::move(cells)}};
  if (!report.explain.empty()) json["formula"] = score_formula();
  return json;
}

void print_scores(const ScoreReport& report) {
  if (!report.device.empty()) print_cells(report);
  print_comparison(report);
  if (report.explain.empty()) return;
  fmt::print("\n{}", score_formula());
  for (const std::string& device : report.explain)
    fmt::print("\n{}", explain_score(report.cells, device, report.options));
}

}  // namespace ampere
