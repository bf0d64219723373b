// What one iteration of a program costs on a device that was profiled.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/estimate.h"
#include "method/operations/operations_profile.h"

namespace ampere {

struct ProgramEstimate : IterationDetails {
  Interval energy_j, time_s;  // per iteration
};

struct WaitingTime {
  double seconds = 0;
  double deviation = 0;  // standard, of its logarithm, from one moment to another
};

// What is known of this program from the device itself, when it is there.
struct ProgramEvidence {
  std::vector<TimedOperation> timed;
  std::optional<double> host_s;  // of one iteration at a small batch, as host_look.h measures it
  bool seen = false;             // this is the device that Program::seen is of
  std::map<OperationKey, double> drawn_j = {};  // of single calls (energy_look.h)
  // The time of the same operations when the device is known to wait for the host. It counts
  // instead of host_s and of the law of the host.
  std::optional<WaitingTime> waiting = {};
};

// The sums of a program by the laws of a profile, before intervals are made of them.
struct ComposedSums {
  double host_s = 0;
  // The standard deviation of the logarithm of the host's time until the step runs; 0 where the
  // host was measured and nothing is known of its changes.
  double host_spread = 0;
  DeviceSum device;
  WorkTerms work;
  Knowledge knowledge = Knowledge::profile;
  ComposedStep step;
};
// The same with what each operation adds to them.
struct ComposedProgram : ComposedSums {
  std::vector<MappedOperation> mapped;  // one per distinct operation
  std::vector<double> counts;           // of its calls
  std::vector<double> energy_j;         // of one call, with its share of the device's ready power
};
// These throw Error(usage) for a program without steps, and Error(failed) for times that are none.
ComposedProgram compose_program(const Program& program, const OperationsProfile& profile,
                                const ProgramEvidence& evidence = {});
// For a caller that has what the map says of each distinct operation, and how often it is called.
ComposedSums compose_sums(const Program& program, const OperationsProfile& profile,
                          std::span<const MappedOperation> mapped, std::span<const double> counts,
                          const ProgramEvidence& evidence = {});

// How long the host of the profile takes for the program.
double host_by_law(const Program& program, const OperationsProfile& profile);

// The same step on a host that takes so many times as long.
ComposedStep on_other_host(const ComposedSums& composed, const OperationsProfile& profile,
                           double slowdown);

// How many standard deviations of a normal distribution the interval of this confidence reaches.
double reach(double confidence);
inline constexpr double kUsualConfidence = 0.9;  // that the factors of the laws are for

struct StepIntervals {
  Interval energy_j, time_s, device_s;  // per iteration
};
StepIntervals intervals_of(const ComposedSums& composed, const OperationsProfile& profile,
                           double confidence);
// The standard deviation of which the interval is so many, the mean of both sides.
Quantity to_quantity(const Interval& interval);

ProgramEstimate estimate_program(const Program& program, const OperationsProfile& profile,
                                 const ProgramEvidence& evidence = {}, double confidence = 0.9);

// Which operations of a program to time first: at most `count` that were not timed before, in the
// order of what they cost.
std::vector<int> operations_to_time(const Program& program, const OperationsProfile& profile,
                                    std::size_t count);

// The same for whole trainings, as other methods answer. Its parts are groups of operations.
Estimate to_estimate(const ProgramEstimate& estimate, const Workload& workload);

}  // namespace ampere
