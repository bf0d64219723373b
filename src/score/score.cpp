#include "ampere/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {
namespace {

using Quantity = std::optional<double> ScoreCell::*;
using Place = std::pair<std::string, std::string>;  // network, delegate

std::vector<std::string> devices_of(const std::vector<ScoreCell>& cells) {
  std::vector<std::string> devices;
  for (const ScoreCell& cell : cells)
    if (std::ranges::find(devices, cell.device) == devices.end()) devices.push_back(cell.device);
  return devices;
}

std::map<Place, double> values_of(const std::vector<ScoreCell>& cells, const std::string& device,
                                  Quantity quantity) {
  std::map<Place, double> values;
  for (const ScoreCell& cell : cells) {
    if (cell.device != device || !(cell.*quantity)) continue;
    const double value = *(cell.*quantity);
    if (!std::isfinite(value) || value <= 0)
      throw Error(ErrorCode::usage, fmt::format("{} of {} on {} costs {}, which nothing does",
                                                cell.network, device, cell.delegate, value));
    values[{cell.network, cell.delegate}] = value;
  }
  return values;
}

void check_known(const std::string& device, const std::vector<std::string>& devices) {
  if (std::ranges::find(devices, device) == devices.end())
    throw Error(ErrorCode::unknown, fmt::format("there is no device '{}' in the table{}", device,
                                                suggestion(device, devices)));
}

// The reference device; the table is not empty.
std::string reference_of(const std::vector<ScoreCell>& cells, const ScoreOptions& options) {
  if (cells.empty()) throw Error(ErrorCode::usage, "there are no cells to make scores of");
  if (options.reference.empty()) return cells.front().device;
  check_known(options.reference, devices_of(cells));
  return options.reference;
}

// How many times as cheap as on the reference, at each place that both have.
std::map<Place, double> ratios_of(const std::vector<ScoreCell>& cells, const std::string& reference,
                                  const std::string& device, Quantity quantity) {
  const std::map<Place, double> theirs = values_of(cells, reference, quantity);
  std::map<Place, double> ratios;
  for (const auto& [place, value] : values_of(cells, device, quantity))
    if (const auto other = theirs.find(place); other != theirs.end())
      ratios[place] = other->second / value;
  return ratios;
}

Score score_of(const std::vector<ScoreCell>& cells, const std::string& reference,
               const std::string& device, Quantity quantity, const ScoreOptions& options) {
  const auto ratios = ratios_of(cells, reference, device, quantity);
  const auto all = static_cast<double>(values_of(cells, reference, quantity).size());
  Score score{{}, static_cast<int>(ratios.size()), {}};
  const auto least =
      std::max(options.least_cells, static_cast<int>(std::ceil(options.least_share * all)));
  if (score.shared < std::max(1, least)) {
    score.reason = fmt::format("has {} cells in common with {}, which has {}; a score needs {}",
                               score.shared, reference, all, least);
    return score;
  }
  double logs = 0;
  for (const auto& [place, ratio] : ratios) logs += std::log(ratio);
  score.value = 100 * std::exp(logs / static_cast<double>(ratios.size()));
  return score;
}

std::string explain(const char* name, const char* what, const Score& score,
                    const std::map<Place, double>& ratios, const std::string& reference) {
  std::string text =
      fmt::format("{}: 100 x the geometric mean of {} on {} / {} here, over the cells both have.\n",
                  name, what, reference, what);
  for (const auto& [place, ratio] : ratios)
    text += fmt::format("  {} {}: x {:.3f}\n", place.first, place.second, ratio);
  return text + (score.value
                     ? fmt::format("  {} cells: {} = {:.1f}\n", score.shared, name, *score.value)
                     : fmt::format("  no {}: {}\n", name, score.reason));
}

}  // namespace

std::vector<DeviceScore> score_devices(const std::vector<ScoreCell>& cells,
                                       const ScoreOptions& options) {
  const std::string reference = reference_of(cells, options);
  std::vector<DeviceScore> scores;
  for (const std::string& device : devices_of(cells))
    scores.push_back({device, score_of(cells, reference, device, &ScoreCell::energy_j, options),
                      score_of(cells, reference, device, &ScoreCell::power_w, options)});
  std::ranges::stable_sort(scores, std::ranges::greater{},
                           [](const DeviceScore& score) { return score.iecs.value.value_or(-1); });
  return scores;
}

std::string explain_score(const std::vector<ScoreCell>& cells, const std::string& device,
                          const ScoreOptions& options) {
  const std::string reference = reference_of(cells, options);
  check_known(device, devices_of(cells));
  const auto one = [&](const char* name, const char* what, Quantity quantity) {
    return explain(name, what, score_of(cells, reference, device, quantity, options),
                   ratios_of(cells, reference, device, quantity), reference);
  };
  return fmt::format("{} against {} = 100; higher is better.\n", device, reference) +
         one("IECS", "energy", &ScoreCell::energy_j) + one("PCS", "power", &ScoreCell::power_w);
}

}  // namespace ampere
