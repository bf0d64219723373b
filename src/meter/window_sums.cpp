#include "meter/window_sums.h"

#include <fmt/format.h>

#include "ampere/energy_log.h"

namespace ampere {

Usage used_in_windows(const MeterInfo& info, Seconds time, const std::vector<Joules>& energy,
                      std::int64_t windows) {
  const Seconds mean = time / static_cast<double>(windows);
  if (mean < info.update_period)
    throw TooShort(fmt::format("{}: {:.3g} s{} is shorter than the period of the meter, {:.3g} s",
                               info.name, mean.count(), windows > 1 ? ", a window's mean," : "",
                               info.update_period.count()));
  return used_in(info, time, energy, windows);
}

void WindowSums::see(const std::string& path) {
  if (sums_.try_emplace(path).second) order_.push_back(path);
}

void WindowSums::add(const std::string& path, Seconds time, const std::vector<Joules>& energy) {
  Sum& sum = sums_.at(path);
  ++sum.windows;
  sum.time += time;
  sum.energy.resize(energy.size());
  for (std::size_t i = 0; i < energy.size(); ++i) sum.energy[i] = sum.energy[i] + energy[i];
}

void WindowSums::add_unknown(const std::string& path, Seconds time, const std::string& reason) {
  Sum& sum = sums_.at(path);
  ++sum.windows;
  sum.time += time;
  if (sum.unknown++ == 0) sum.reason = reason;
}

PathUsage WindowSums::result(const MeterInfo& info, const std::string& path, const Sum& sum) {
  PathUsage result{path, sum.windows, sum.time, std::nullopt, ""};
  if (sum.unknown > 0) {
    result.reason = sum.windows == 1 ? sum.reason
                                     : fmt::format("{} of {} windows are unknown: {}", sum.unknown,
                                                   sum.windows, sum.reason);
    return result;
  }
  try {
    result.usage = used_in_windows(info, sum.time, sum.energy, sum.windows);
  } catch (const Error& error) {
    result.reason = error.what();
  }
  return result;
}

std::vector<PathUsage> WindowSums::results(const MeterInfo& info) const {
  std::vector<PathUsage> results;
  for (const std::string& path : order_)
    if (const Sum& sum = sums_.at(path); sum.windows > 0)
      results.push_back(result(info, path, sum));
  return results;
}

}  // namespace ampere
