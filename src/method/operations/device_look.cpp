#include "method/operations/device_look.h"

#include <fmt/format.h>

namespace ampere {

bool was_seen_on(const Program& program, const DeviceInfo& device) {
  return program.seen && program.seen->device == device.name;
}

TimedDearest time_dearest(const Program& program, const OperationsProfile& profile, Rig& rig,
                          std::size_t count) {
  std::vector<Operation> operations;
  for (const int place : operations_to_time(program, profile, count))
    operations.push_back(program.operations.at(static_cast<std::size_t>(place)));
  TimedDearest dearest;
  if (operations.empty()) return dearest;
  const OperationTimes times = rig.time(program.tensors, operations);
  for (std::size_t i = 0; i < operations.size(); ++i)
    if (const auto* time = std::get_if<StepTimes>(&times.each.at(i)))
      dearest.timed.push_back(
          {operations[i], program.tensors, time->device.count(), time->host.count(), ""});
    else
      dearest.failures.push_back(
          fmt::format("{} ({})", operations[i].name, std::get<std::string>(times.each[i])));
  return dearest;
}

}  // namespace ampere
