#include "meter/best_meter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace ampere {
namespace {

// By what they see; in each row the better ones first. What is in none of them (a recording, a
// model, sensors of unknown parts) is only taken when it is asked for.
constexpr std::array<std::string_view, 1> kWholeBoard{"jetson"};
constexpr std::array<std::string_view, 1> kProcessor{"rapl"};
constexpr std::array<std::string_view, 3> kGpu{"nvml", "amdgpu", "intel-gpu"};
constexpr std::array<std::string_view, 1> kWholeMachine{"battery"};  // slow, so the last choice

std::string_view kind_of(const MeterProbe& probe) {
  return std::string_view(probe.name).substr(0, probe.name.find(':'));
}

template <class Kinds>
std::vector<std::string> available(const std::vector<MeterProbe>& probes, const Kinds& kinds) {
  std::vector<std::string> names;
  for (const std::string_view kind : kinds)
    for (const MeterProbe& probe : probes)
      if (probe.available && kind_of(probe) == kind) names.push_back(probe.name);
  return names;
}

template <class Kinds>
std::string first(const std::vector<MeterProbe>& probes, const Kinds& kinds) {
  const std::vector<std::string> names = available(probes, kinds);
  return names.empty() ? "" : names.front();
}

}  // namespace

std::string best_processor_meter(const std::vector<MeterProbe>& probes) {
  for (const std::string& name :
       {first(probes, kWholeBoard), first(probes, kProcessor), first(probes, kWholeMachine)})
    if (!name.empty()) return name;
  return "";
}

std::string best_machine_meter(const std::vector<MeterProbe>& probes) {
  if (const std::string board = first(probes, kWholeBoard); !board.empty()) return board;
  std::vector<std::string> parts;
  if (const std::string name = first(probes, kProcessor); !name.empty()) parts.push_back(name);
  std::ranges::copy(available(probes, kGpu), std::back_inserter(parts));
  if (!parts.empty()) return fmt::format("{}", fmt::join(parts, "+"));
  return first(probes, kWholeMachine);
}

}  // namespace ampere
