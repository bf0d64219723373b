#include "method/operations/program_origin.h"

#include <fmt/format.h>

#include <cmath>

#include "method/operations/number_formats.h"

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

std::vector<std::string> differences_of_use(const Program& program, const GeneralHead& profile) {
  std::vector<std::string> differences;
  if (program.generation)
    differences.push_back(
        fmt::format("the profile of {} rests on training iterations, and no program that generates "
                    "text was measured for it: the intervals are wider",
                    profile.device.name));
  if (multiplies_in(ElementType::fp16, program))
    differences.push_back(
        "products and convolutions in fp16 were not timed, and those in bf16 stand in for them: "
        "the intervals are wider");
  return differences;
}

double wider_by(std::size_t origin, std::size_t use) {
  const double of_origin = std::pow(kWider, static_cast<double>(origin));
  return std::sqrt(of_origin * of_origin + static_cast<double>(use) * (kWider * kWider - 1));
}

void widen(Interval& interval, double factor) {
  if (!(interval.mean > 0)) return;
  interval.low = interval.mean * std::pow(interval.low / interval.mean, factor);
  interval.high = interval.mean * std::pow(interval.high / interval.mean, factor);
}

void widen(ProgramEstimate& estimate, std::size_t origin, std::size_t use) {
  const double factor = wider_by(origin, use);
  for (Interval* interval : {&estimate.energy_j, &estimate.time_s, &estimate.device_s})
    widen(*interval, factor);
}

}  // namespace ampere
