#include "method/operations/roofline.h"

#include <algorithm>

#include "base/stats.h"

namespace ampere {
namespace {

// Quantiles instead of extremes: single times are wrong now and then.
constexpr double kFloorQuantile = 0.02, kBandwidthQuantile = 0.9, kPeakQuantile = 0.95;
constexpr double kManyBytes = 2e8, kManyFlops = 1e9;  // that no cache and no launch hides
constexpr double kLeastTransfer = 0.5e-6;
constexpr std::size_t kFewest = 6;  // operations that tell a peak

double bandwidth(std::span<const TimedFeatures> timed, double floor_s, double least_bytes,
                 double otherwise) {
  std::vector<double> rates;
  for (const TimedFeatures& each : timed)
    if (each.features.part == OperationPart::pointwise && each.features.work.bytes > least_bytes)
      rates.push_back(each.features.work.bytes / std::max(each.device_s - floor_s, kLeastTransfer));
  return rates.empty() ? otherwise : quantile(rates, kBandwidthQuantile);
}

}  // namespace

double Roofline::seconds(const DeviceWork& work) const {
  const double peak = flops_per_s.at(static_cast<std::size_t>(work.flop_class));
  return floor_s * work.launches + std::max(work.flops / peak, work.bytes / bytes_per_s);
}

Roofline fit_roofline(std::span<const TimedFeatures> timed) {
  Roofline roofline;
  if (timed.empty()) return roofline;
  std::vector<double> times;
  std::array<std::vector<double>, kFlopClasses> rates;
  for (const TimedFeatures& each : timed) {
    times.push_back(each.device_s);
    if (each.features.work.flops > kManyFlops)
      rates[static_cast<std::size_t>(each.features.work.flop_class)].push_back(
          each.features.work.flops / each.device_s);
  }
  roofline.floor_s = quantile(times, kFloorQuantile);
  const double small = bandwidth(timed, roofline.floor_s, 0, roofline.bytes_per_s);
  roofline.bytes_per_s = bandwidth(timed, roofline.floor_s, kManyBytes, small);
  for (std::size_t i = 1; i < kFlopClasses; ++i)
    if (rates[i].size() >= kFewest) roofline.flops_per_s[i] = quantile(rates[i], kPeakQuantile);
  return roofline;
}

}  // namespace ampere
