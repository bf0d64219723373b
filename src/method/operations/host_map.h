// How long the host takes to hand the operations of a program to the device:
//   h = a Σ calls · host time of the name + b · operations + c · module calls.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "method/operations/timed_operation.h"

namespace ampere {

struct HostTerms {
  double calls_s = 0;  // Σ host times of the calls alone
  double operations = 0, module_calls = 0;
};

struct HostMap {
  // The median of one call by name; of calls on lists of tensors that per (6 + tensors).
  std::map<std::string, double, std::less<>> name_s;
  double usual_s = 0;  // the median of all calls, for names that are not there
  double scale = 1, operation_s = 0, module_s = 0;  // a, b, c

  HostTerms terms(const Program& program, std::span<const double> counts) const;
  double seconds(const HostTerms& terms) const;
};

// The host times of names; a, b and c stay 1, 0 and 0. Operations without a host time are passed
// over.
HostMap fit_host_names(const std::vector<TimedOperation>& timed);

// Sets a, b and c by non-negative least squares of relative errors. Nothing changes without rows.
struct HostRow {
  HostTerms terms;
  double host_s = 0;
};
void fit_host_sums(std::span<const HostRow> rows, HostMap& map);

}  // namespace ampere
