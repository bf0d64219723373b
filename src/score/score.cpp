#include "ampere/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ampere/error.h"
#include "base/stats.h"
#include "base/text.h"

namespace ampere {
namespace {

using CostField = std::optional<double> ScoreCell::*;
using Place = std::pair<std::string, std::string>;  // network, delegate

struct Value {
  double cost = 0;
  Source source = Source::measured;
};

std::vector<std::string> devices_of(const std::vector<ScoreCell>& cells) {
  std::vector<std::string> devices;
  for (const ScoreCell& cell : cells)
    if (std::ranges::find(devices, cell.device) == devices.end()) devices.push_back(cell.device);
  return devices;
}

std::map<Place, Value> values_of(const std::vector<ScoreCell>& cells, const std::string& device,
                                 CostField quantity) {
  std::map<Place, Value> values;
  for (const ScoreCell& cell : cells) {
    if (cell.device != device || !(cell.*quantity)) continue;
    const double value = *(cell.*quantity);
    if (!std::isfinite(value) || value <= 0)
      throw Error(ErrorCode::usage, fmt::format("{} of {} on {} costs {}, which nothing does",
                                                cell.network, device, cell.delegate, value));
    values[{cell.network, cell.delegate}] = {value, cell.source};
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

std::string why_missing(const std::vector<ScoreCell>& cells, const std::string& device,
                        const Place& place) {
  const auto found = std::ranges::find_if(cells, [&](const ScoreCell& cell) {
    return cell.device == device && cell.network == place.first && cell.delegate == place.second;
  });
  return found == cells.end() || found->reason.empty() ? "not measured" : found->reason;
}

struct Comparison {
  std::map<Place, double> ratios;  // how many times as cheap as on the reference
  std::vector<MissingCell> missing;
  std::size_t all = 0;  // cells of the reference
  int set_aside = 0;    // of those that are missing
};

Comparison compare(const std::vector<ScoreCell>& cells, const std::string& reference,
                   const std::string& device, CostField quantity, const ScoreOptions& options) {
  const std::map<Place, Value> theirs = values_of(cells, reference, quantity),
                               ours = values_of(cells, device, quantity);
  Comparison result;
  result.all = theirs.size();
  for (const auto& [place, their] : theirs) {
    const auto our = ours.find(place);
    if (our == ours.end()) {
      result.missing.push_back({place.first, place.second, why_missing(cells, device, place)});
    } else if (our->second.source != their.source && !options.mixed) {
      ++result.set_aside;
      result.missing.push_back({place.first, place.second,
                                fmt::format("{} here, {} on {}", to_string(our->second.source),
                                            to_string(their.source), reference)});
    } else {
      result.ratios[place] = their.cost / our->second.cost;
    }
  }
  return result;
}

std::string too_few(const Comparison& compared, const std::string& reference, int least) {
  std::string text =
      fmt::format("has {} cells in common with {}, which has {}; a score needs {}",
                  compared.ratios.size(), reference, compared.all, std::max(1, least));
  if (compared.set_aside > 0)
    text += fmt::format(
        " (measured, modelled and simulated costs are not compared unless that is asked for: {} "
        "cells)",
        compared.set_aside);
  return text;
}

Score score_of(const Comparison& compared, const std::string& reference,
               const ScoreOptions& options) {
  Score score{
      {}, static_cast<int>(compared.ratios.size()), {}, compared.missing, compared.set_aside};
  const auto least = std::max(
      options.least_cells,
      static_cast<int>(std::ceil(options.least_share * static_cast<double>(compared.all))));
  if (score.shared < std::max(1, least)) {
    score.reason = too_few(compared, reference, least);
    return score;
  }
  std::vector<double> ratios;
  for (const auto& [place, ratio] : compared.ratios) ratios.push_back(ratio);
  score.value = 100 * geometric_mean(ratios);
  return score;
}

std::string explain(const char* name, const char* what, const Score& score,
                    const std::map<Place, double>& ratios, const std::string& reference) {
  std::string text =
      fmt::format("{}: 100 x the geometric mean of {} on {} / {} here, over the cells both have.\n",
                  name, what, reference, what);
  for (const auto& [place, ratio] : ratios)
    text += fmt::format("  {} {}: x {:.3f}\n", place.first, place.second, ratio);
  for (const MissingCell& cell : score.missing)
    text += fmt::format("  {} {}: left out, {}\n", cell.network, cell.delegate, cell.reason);
  return text + (score.value
                     ? fmt::format("  {} cells: {} = {:.1f}\n", score.shared, name, *score.value)
                     : fmt::format("  no {}: {}\n", name, score.reason));
}

}  // namespace

std::vector<DeviceScore> score_devices(const std::vector<ScoreCell>& cells,
                                       const ScoreOptions& options) {
  const std::string reference = reference_of(cells, options);
  std::vector<DeviceScore> scores;
  for (const std::string& device : devices_of(cells)) {
    const auto one = [&](CostField quantity) {
      return score_of(compare(cells, reference, device, quantity, options), reference, options);
    };
    scores.push_back({device, one(&ScoreCell::energy_j), one(&ScoreCell::power_w)});
  }
  std::ranges::stable_sort(scores, std::ranges::greater{},
                           [](const DeviceScore& score) { return score.iecs.value.value_or(-1); });
  return scores;
}

std::string score_formula() {
  return "A cell is one network run one way (CPU1: one thread, CPU: all threads, GPU).\n"
         "R is the reference device; S are the cells that both devices have, from the same kind "
         "of\n"
         "source.\n"
         "  IECS = 100 exp( 1/|S| sum over S of ln(E_R / E) )    E: energy of an inference\n"
         "  PCS  = 100 exp( 1/|S| sum over S of ln(P_R / P) )    P: average power meanwhile\n"
         "The reference has 100, and higher is better. Both are ampere's own definitions.\n";
}

std::string explain_score(const std::vector<ScoreCell>& cells, const std::string& device,
                          const ScoreOptions& options) {
  const std::string reference = reference_of(cells, options);
  check_known(device, devices_of(cells));
  const auto one = [&](const char* name, const char* what, CostField quantity) {
    const Comparison compared = compare(cells, reference, device, quantity, options);
    return explain(name, what, score_of(compared, reference, options), compared.ratios, reference);
  };
  return fmt::format("{} against {} = 100; higher is better.\n", device, reference) +
         one("IECS", "energy", &ScoreCell::energy_j) + one("PCS", "power", &ScoreCell::power_w);
}

}  // namespace ampere
