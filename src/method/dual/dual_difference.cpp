// What one network costs more than another. Both are estimated by the same maps and laws, so most
// of what is wrong with one estimate is wrong with the other:
//   - What the maps do not know of a block cancels as far as both networks contain it.
//   - g is one process, and the covariance of both networks under it is known.
//   - The laws leave a relative error of d, h and E. It is the same for equal networks; for
//     networks that have no block in common it is correlated, since one fit made them.
#include <algorithm>
#include <cmath>
#include <map>

#include "method/dual/dual_composer.h"

namespace ampere {
namespace {

// Of what the laws leave over, between networks of one family without a common block. Pairs of
// measured networks gave 0.3 to 0.4 (docs/diff.md).
constexpr double kLawCorrelation = 0.3;

// The variance of b − a, which are correlated standard deviations.
double variance_apart(double a, double b, double correlation) {
  return a * a + b * b - 2 * correlation * a * b;
}

}  // namespace

// How far time and energy of a composed network move with each error.
struct DualComposer::Sensitivities {
  std::vector<int> blocks;
  PowerTerms power;
  double energy_j = 0, time_s = 0;
  double device_s = 0, mapped_s = 0;
  double energy_by_device = 0;  // joules of a relative error of the device's time
  double energy_by_host = 0;
  double time_by_device = 0, time_by_host = 0;  // seconds of it
  double tie_s = 0;                             // because it is open which of both takes longer

  // Seconds of each block's map error, by block, in all its places.
  std::map<int, double> block_s(const DualComposer& composer) const {
    std::map<int, double> seconds;
    for (const int block : blocks) {
      const BlockTime& time = composer.cost(block).time;
      seconds[block] += time.device_s * time.device_error;
    }
    return seconds;
  }
};

DualComposer::Sensitivities DualComposer::sensitivities() const {
  Sensitivities result;
  result.blocks = blocks_;
  result.power = work_.terms();
  result.energy_j = energy_j_, result.time_s = time_.time_s;
  result.device_s = time_.device_s;
  for (const int block : blocks_) result.mapped_s += cost(block).time.device_s;
  const double ready_w = model_->energy.ready_w;
  result.energy_by_device = ready_w * time_.by_device * time_.device_s + energy_j_ - ready_j();
  result.energy_by_host = ready_w * time_.by_host * time_.host_s;
  result.time_by_device = time_.by_device * time_.device_s;
  result.time_by_host = time_.by_host * time_.host_s;
  const double own = model_->inflation.time > 0 ? time_.time_sd / model_->inflation.time : 0;
  result.tie_s =
      std::sqrt(std::max(0.0, own * own - std::pow(time_.by_device * time_.device_sd, 2) -
                                  std::pow(time_.by_host * time_.host_sd, 2)));
  return result;
}

std::optional<CostDifference> DualComposer::difference(std::span<const int> before,
                                                       std::span<const int> after) {
  if (!compose(before)) return std::nullopt;
  const Sensitivities a = sensitivities();
  if (!compose(after)) return std::nullopt;
  const Sensitivities b = sensitivities();

  // The device time of blocks that both have, of the longer one's.
  std::map<int, double> times_a, times_b;
  for (const int block : a.blocks) times_a[block] += cost(block).time.device_s;
  for (const int block : b.blocks) times_b[block] += cost(block).time.device_s;
  double common_s = 0;
  for (const auto& [block, seconds] : times_a)
    if (const auto found = times_b.find(block); found != times_b.end())
      common_s += std::min(seconds, found->second);
  const double longer_s = std::max(a.mapped_s, b.mapped_s);
  const double overlap = longer_s > 0 ? common_s / longer_s : 1;
  const double correlation = kLawCorrelation + (1 - kLawCorrelation) * overlap;

  // Map errors, block by block: what both have at the same weight is gone.
  const std::map<int, double> errors_a = a.block_s(*this), errors_b = b.block_s(*this);
  const auto by_maps = [&](double of_a, double of_b) {
    const double weight_a = a.mapped_s > 0 ? of_a / a.mapped_s : 0;
    const double weight_b = b.mapped_s > 0 ? of_b / b.mapped_s : 0;
    std::map<int, double> moved;
    for (const auto& [block, seconds] : errors_a) moved[block] -= weight_a * seconds;
    for (const auto& [block, seconds] : errors_b) moved[block] += weight_b * seconds;
    double variance = 0;
    for (const auto& [block, value] : moved) variance += value * value;
    return variance;
  };
  const auto apart = [&](double of_a, double of_b, double error) {
    return variance_apart(error * of_a, error * of_b, correlation);
  };
  const TimeLaw& law = model_->time;
  const double energy_variance = by_maps(a.energy_by_device, b.energy_by_device) +
                                 apart(a.energy_by_device, b.energy_by_device, law.device_error) +
                                 apart(a.energy_by_host, b.energy_by_host, law.host_error) +
                                 apart(a.energy_j, b.energy_j, model_->energy.process.noise) +
                                 std::pow(work_.difference_sd(a.power, b.power), 2);
  const double time_variance = by_maps(a.time_by_device, b.time_by_device) +
                               apart(a.time_by_device, b.time_by_device, law.device_error) +
                               apart(a.time_by_host, b.time_by_host, law.host_error) +
                               apart(a.tie_s, b.tie_s, 1);
  return CostDifference{
      {b.energy_j - a.energy_j,
       model_->inflation.energy * std::sqrt(std::max(0.0, energy_variance))},
      {b.time_s - a.time_s, model_->inflation.time * std::sqrt(std::max(0.0, time_variance))}};
}

}  // namespace ampere
