#include "method/operations/program_origin.h"

#include <fmt/format.h>

#include <cmath>

namespace ampere {
namespace {

constexpr double kWider = 1.5;

// "2.11" of "torch 2.11.0+cu130"; empty where there is none.
std::string minor_version(const std::string& framework) {
  const std::size_t start = framework.find_first_of("0123456789");
  if (start == std::string::npos) return "";
  const std::size_t point = framework.find('.', start);
  if (point == std::string::npos) return "";
  return framework.substr(start, framework.find_first_not_of("0123456789", point + 1) - start);
}

void widen_by(Interval& interval, double factor) {
  if (!(interval.mean > 0)) return;
  interval.low = interval.mean * std::pow(interval.low / interval.mean, factor);
  interval.high = interval.mean * std::pow(interval.high / interval.mean, factor);
}

}  // namespace

std::vector<std::string> differences_of_origin(const ProgramOrigin& origin,
                                               const GeneralHead& profile) {
  std::vector<std::string> differences;
  const std::string its = minor_version(origin.framework);
  const std::string profiled = minor_version(profile.device.framework);
  if (!its.empty() && !profiled.empty() && its != profiled)
    differences.push_back(
        fmt::format("the program was traced with {}, and {} was profiled with {}: the intervals "
                    "are wider",
                    origin.framework, profile.device.name, profile.device.framework));
  const bool for_gpu = origin.device != "cpu";
  if (!origin.device.empty() && for_gpu != profile.is_gpu)
    differences.push_back(
        fmt::format("the program was traced for a device of the kind {}, and {} is a {}: a few "
                    "operations differ, and the intervals are wider",
                    origin.device, profile.device.name, profile.is_gpu ? "GPU" : "CPU"));
  return differences;
}

double wider_by(std::size_t differences) {
  return std::pow(kWider, static_cast<double>(differences));
}

void widen(ProgramEstimate& estimate, std::size_t differences) {
  const double factor = wider_by(differences);
  for (Interval* interval : {&estimate.energy_j, &estimate.time_s, &estimate.device_s})
    widen_by(*interval, factor);
}

}  // namespace ampere
