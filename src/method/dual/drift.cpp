#include <algorithm>
#include <cmath>
#include <map>

#include "method/dual/dual_profile.h"

namespace ampere {
namespace {

constexpr std::size_t kLeastRepeats = 4;  // a line through fewer says nothing
constexpr double kSignificant = 3;        // standard errors of the slope
constexpr double kLeastDrift = 0.01;      // from one end to the other

struct Line {
  double slope = 0;  // of the logarithm, a step of the order
  double standard_error = 0;
};

struct Repeat {
  double at = 0;                // position in the order
  double energy = 0, time = 0;  // logarithms
};

Line fit_line(const std::vector<Repeat>& repeats, double Repeat::*value) {
  const auto count = static_cast<double>(repeats.size());
  double mean_at = 0, mean_value = 0;
  for (const Repeat& repeat : repeats) {
    mean_at += repeat.at / count;
    mean_value += repeat.*value / count;
  }
  double across = 0, squares = 0;
  for (const Repeat& repeat : repeats) {
    across += (repeat.at - mean_at) * (repeat.*value - mean_value);
    squares += std::pow(repeat.at - mean_at, 2);
  }
  Line line{squares > 0 ? across / squares : 0, INFINITY};
  double left = 0;
  for (const Repeat& repeat : repeats)
    left += std::pow(repeat.*value - mean_value - line.slope * (repeat.at - mean_at), 2);
  if (count > 2 && squares > 0) line.standard_error = std::sqrt(left / (count - 2) / squares);
  return line;
}

std::vector<Repeat> repeats_of(std::span<const Observation> networks, const std::string& hash) {
  std::vector<Repeat> repeats;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const auto& measurement = networks[i].measurement;
    if (measurement && measurement->energy_j.mean > 0 && measurement->time_s.mean > 0 &&
        model_hash(networks[i].model) == hash)
      repeats.push_back({static_cast<double>(i), std::log(measurement->energy_j.mean),
                         std::log(measurement->time_s.mean)});
  }
  return repeats;
}

bool significant(const Line& line, double span) {
  return std::abs(line.slope) > kSignificant * line.standard_error &&
         std::abs(line.slope) * span > kLeastDrift;
}

std::optional<std::string> most_repeated(std::span<const Observation> networks) {
  std::map<std::string, std::size_t> counts;
  for (const Observation& network : networks)
    if (network.measurement) ++counts[model_hash(network.model)];
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  if (most == counts.end() || most->second < kLeastRepeats) return std::nullopt;
  return most->first;
}

void scale(Quantity& statistic, double factor) {
  statistic.mean *= factor;
  if (statistic.stddev) *statistic.stddev *= factor;
}

}  // namespace

Drift drift_of(std::span<const Observation> reference) {
  Drift drift;
  if (reference.empty()) return drift;
  const std::vector<Repeat> repeats = repeats_of(reference, model_hash(reference.front().model));
  drift.repeats = static_cast<int>(repeats.size());
  if (repeats.size() < 2) return drift;
  const double span = repeats.back().at - repeats.front().at;
  const Line energy = fit_line(repeats, &Repeat::energy), time = fit_line(repeats, &Repeat::time);
  drift.energy = std::expm1(energy.slope * span);
  drift.time = std::expm1(time.slope * span);
  drift.significant =
      repeats.size() >= kLeastRepeats && (significant(energy, span) || significant(time, span));
  return drift;
}

std::vector<Observation> without_drift(std::vector<Observation> networks) {
  const bool paced = std::ranges::any_of(
      networks, [](const Observation& network) { return network.pace.has_value(); });
  const auto reference = most_repeated(networks);
  if (!reference || paced) return networks;
  const std::vector<Repeat> repeats = repeats_of(networks, *reference);
  if (repeats.size() < kLeastRepeats) return networks;
  const double span = repeats.back().at - repeats.front().at;
  const double middle = (repeats.back().at + repeats.front().at) / 2;
  const Line energy = fit_line(repeats, &Repeat::energy), time = fit_line(repeats, &Repeat::time);
  for (std::size_t i = 0; i < networks.size(); ++i) {
    if (!networks[i].measurement) continue;
    const double away =
        std::clamp(static_cast<double>(i), repeats.front().at, repeats.back().at) - middle;
    if (significant(energy, span))
      scale(networks[i].measurement->energy_j, std::exp(-energy.slope * away));
    if (significant(time, span))
      scale(networks[i].measurement->time_s, std::exp(-time.slope * away));
  }
  return networks;
}

}  // namespace ampere
