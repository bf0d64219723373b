#include "method/dual/repeats.h"

#include <cmath>
#include <map>
#include <vector>

#include "base/stats.h"

namespace ampere {
namespace {

constexpr double kProbability = 0.95;  // at which Student's t and the normal quantile are compared

// Deviations of logarithms from the mean of each network.
struct Pooled {
  double squares = 0;
  int degrees = 0;

  void add(std::span<const double> logarithms) {
    const double centre = mean(logarithms);
    for (const double each : logarithms) squares += std::pow(each - centre, 2);
    degrees += static_cast<int>(logarithms.size()) - 1;
  }

  double deviation() const {
    return std::sqrt(squares / degrees) * student_quantile(kProbability, degrees) /
           normal_quantile(kProbability);
  }
};

struct Repeats {
  std::vector<double> energies, times;  // logarithms
};

}  // namespace

std::optional<RelativeErrors> scatter_of_repeats(std::span<const MeasuredNetwork> networks,
                                                 std::span<const std::size_t> identity) {
  std::map<std::size_t, Repeats> by_network;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    by_network[identity[i]].energies.push_back(std::log(networks[i].energy_j));
    by_network[identity[i]].times.push_back(std::log(networks[i].time_s));
  }
  Pooled energy, time;
  for (const auto& [number, repeats] : by_network) {
    energy.add(repeats.energies);
    time.add(repeats.times);
  }
  if (energy.degrees == 0) return std::nullopt;
  return RelativeErrors{energy.deviation(), time.deviation()};
}

}  // namespace ampere
