// How long the host takes to hand the operations of a program to the device:
//   h = a Σ calls · host time of the name + d.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "method/operations/timed_operation.h"

namespace ampere {

struct HostMap {
  // The median of one call by name; of calls on lists of tensors that per (6 + tensors).
  std::map<std::string, double, std::less<>> name_s;
  double usual_s = 0;                 // the median of all calls, for names that are not there
  double scale = 1, iteration_s = 0;  // a, d

  double calls_s(const Program& program, std::span<const double> counts) const;  // Σ
  double seconds(double calls_s) const { return scale * calls_s + iteration_s; }
};

// The host times of names; a and d stay 1 and 0. Operations without a host time are passed
// over.
HostMap fit_host_names(const std::vector<TimedOperation>& timed);

// Sets a and d by non-negative least squares of relative errors. Nothing changes without rows.
struct HostRow {
  double calls_s = 0;
  double host_s = 0;
};
void fit_host_sums(std::span<const HostRow> rows, HostMap& map);

}  // namespace ampere
