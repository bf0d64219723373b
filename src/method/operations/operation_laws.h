// From the times of operations to time and energy of an iteration, with intervals.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/profiling.h"
#include "method/operations/host_map.h"
#include "method/operations/step_time.h"
#include "method/operations/work_energy.h"

namespace ampere {

// What an estimate could rely on: only the profile, or also the device itself, on which the dearest
// operations were timed and the host was measured.
enum class Knowledge { profile, device };
inline constexpr std::size_t kKnowledges = 2;

// By how much standard deviations are multiplied to give an interval of 90 %. The defaults are
// those that cross-validation over 11 families gave on one GPU.
struct IntervalFactors {
  double device = 1.5, time = 2.4, energy = 2.1;
};

// The standard deviation of the logarithm of the host's time between machines that have the same
// device, and between days. The factors do not contain it: programs that are left out ran on the
// host of the profile.
inline constexpr double kHostSpread = 0.35;

struct OperationLaws {
  HostMap host;
  WorkEnergyLaw energy;
  std::vector<WorkEnergyRow> energy_rows;            // that the energy law was fitted to
  std::array<StepTimeLaw, kKnowledges> time;         // by Knowledge
  std::array<IntervalFactors, kKnowledges> factors;  // by Knowledge
  // By leaving one family of programs out at a time, from the profile alone; the factors were found
  // so, too. Absent where there was only one family.
  std::optional<CrossValidation> cross_validated;
};

// What relative errors of 1 do to a sum, and what errors there are apart from operations, all as
// fractions of the sum.
struct ErrorShares {
  double device = 0;                  // of an error of the device's time
  double host = 0, sum = 0, law = 0;  // standard deviations

  double deviation(double of_device) const;  // all together, by the deviation of the device's time
};

struct ComposedStep {
  double host_s = 0, device_s = 0, time_s = 0, energy_j = 0;
  // Standard deviations of logarithms, before they are multiplied by the factors.
  double device_deviation = 0, time_deviation = 0, energy_deviation = 0;
  ErrorShares time_errors, energy_errors;  // what the last two are made of
  double work_scale = 1;                   // the energy of the work at the clock that it runs at
  bool power_limited = false;
};
ComposedStep compose(const OperationLaws& laws, Knowledge knowledge, double host_s,
                     const DeviceSum& device, const WorkTerms& work,
                     const std::optional<double>& power_limit_w);

// The host's time where it was measured: a geometric mean of that, which counts most, and the
// map's.
double combined_host_s(double mapped_s, const std::optional<double>& measured_s);

// One iteration of a program under a meter.
struct ProgramWindow {
  Program program;
  double time_s = 0, device_s = 0, energy_j = 0;  // per iteration; device_s: the device was busy
  std::optional<double> host_s;                   // of one iteration that never waits
  std::string family;  // programs of one are left out together; empty: the program alone
};
// What was measured elsewhere counts for the energy law alone. Throws Error(unknown) without
// windows, and Error(failed) naming the program for a value that is not positive and finite.
OperationLaws fit_operation_laws(const std::vector<ProgramWindow>& windows,
                                 const std::vector<TimedOperation>& timed, const FittedMap& maps,
                                 std::span<const WorkEnergyRow> elsewhere = {});

}  // namespace ampere
