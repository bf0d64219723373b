#include "method/operations/device_look.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "program/operation_key.h"

namespace ampere {
namespace {

// A distinct operation, and where it is found first.
struct Candidate {
  std::size_t program = 0, operation = 0;
  double share = 0;
};

// The dearest first.
std::vector<Candidate> candidates(std::span<const Program> programs,
                                  const OperationsProfile& profile) {
  std::vector<Candidate> found;
  std::unordered_map<OperationKey, std::size_t> places;  // in `found`
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const std::vector<MappedOperation> mapped = map_operations(profile.map, programs[i]);
    const std::vector<double> counts = call_counts(programs[i]);
    const double device_s = sum_of_operations(mapped, counts).seconds;
    const std::vector<OperationKey> keys =
        operation_keys(programs[i].operations, programs[i].tensors);
    for (const std::size_t each : dearest_operations(mapped, counts, mapped.size())) {
      const auto [place, is_new] = places.emplace(keys[each], found.size());
      if (is_new) found.push_back({i, each, 0});
      if (device_s > 0)
        found[place->second].share += counts[each] * mapped[each].device_s / device_s;
    }
  }
  std::ranges::stable_sort(found, std::greater{}, &Candidate::share);
  return found;
}

void time_in(const Program& program, const std::vector<Operation>& operations, Rig& rig,
             TimedDearest& dearest) {
  if (operations.empty()) return;
  const OperationTimes times = rig.time(program.tensors, operations);
  for (std::size_t i = 0; i < operations.size(); ++i)
    if (const auto* time = std::get_if<StepTimes>(&times.each.at(i)))
      dearest.timed.push_back(
          {operations[i], program.tensors, time->device.count(), time->host.count(), ""});
    else
      dearest.failures.push_back(
          fmt::format("{} ({})", operations[i].name, std::get<std::string>(times.each[i])));
}

}  // namespace

bool was_seen_on(const Program& program, const DeviceInfo& device) {
  return program.seen && program.seen->device == device.name;
}

TimedDearest time_dearest(std::span<const Program> programs, const OperationsProfile& profile,
                          Rig& rig, std::size_t count) {
  std::vector<Candidate> chosen = candidates(programs, profile);
  if (chosen.size() > count) chosen.resize(count);
  TimedDearest dearest;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    std::vector<Operation> operations;
    for (const Candidate& each : chosen)
      if (each.program == i) operations.push_back(programs[i].operations[each.operation]);
    time_in(programs[i], operations, rig, dearest);
  }
  return dearest;
}

}  // namespace ampere
