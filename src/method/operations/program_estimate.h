// What one iteration of a program costs on a device that was profiled.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ampere/estimate.h"
#include "method/operations/operations_profile.h"

namespace ampere {

struct ProgramShare {
  std::string name;  // of a group or a module; the module "" is the whole network's own
  std::int64_t calls = 0;
  double device_s = 0, energy_j = 0;  // the energy includes its share of the device's ready power
};

struct UncoveredName {
  std::string name;
  double share = 0;  // of the device's time
};

struct ProgramEstimate {
  Interval energy_j, time_s, device_s;  // per iteration
  double host_s = 0;
  bool host_bound = false;            // the host takes longer than the device
  bool power_limited = false;         // the time follows from the device's power limit
  std::vector<ProgramShare> groups;   // those that occur, in the order of OperationGroup
  std::vector<ProgramShare> modules;  // those that have steps, in the order of Program::modules
  // Names of which no operation was timed: they were counted by their bytes, or as others of their
  // part, with a wide deviation. The largest first.
  std::vector<UncoveredName> uncovered;
  std::array<double, 5> share_of_source{};  // of the device's time, by TimeSource
};

// What is known of this program from the device itself, when it is there.
struct ProgramEvidence {
  std::vector<TimedOperation> timed;
  std::optional<double> host_s;  // of one iteration at a small batch, as host_look.h measures it
};

// Throws Error(usage) for a program without steps, and Error(failed) for times that are none.
ProgramEstimate estimate_program(const Program& program, const OperationsProfile& profile,
                                 const ProgramEvidence& evidence = {}, double confidence = 0.9);

// Which operations of a program to time first: at most `count` that were not timed before, in the
// order of what they cost.
std::vector<int> operations_to_time(const Program& program, const OperationsProfile& profile,
                                    std::size_t count);

// The same for whole trainings, as other methods answer. Its parts are groups of operations.
Estimate to_estimate(const ProgramEstimate& estimate, const Workload& workload);

}  // namespace ampere
