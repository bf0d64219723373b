// The energy of single operations, measured on the device itself.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ampere/rig.h"
#include "method/operations/program_estimate.h"

namespace ampere {

// A distinct operation of one of two programs, or of both.
struct WeighedOperation {
  OperationKey key = 0;
  const Program* program = nullptr;  // one that has it
  std::size_t operation = 0;         // in that program
  double device_s = 0;               // of one call
  bool was_timed = false;            // exactly so, on this device
  bool rounded = false;              // its numbers of fp32 come out of 16 bits (OperationRequest)
};
// Those whose energy matters most for the difference, the weightiest first: at most `count`, and
// none beyond 97 % of all weight. The time of calls that only one program makes counts fully; that
// of calls of both, which the difference is related to, a little. Refers to the programs.
std::vector<WeighedOperation> weigh_operations(const Program& before,
                                               const ComposedProgram& of_before,
                                               const Program& after,
                                               const ComposedProgram& of_after, std::size_t count);

// The power of the device when it is ready and does nothing, as it is now. Throws as
// Rig::idle_after() does.
double look_at_ready_power(Rig& rig);

struct DrawnEnergies {
  std::map<OperationKey, double> joules;  // of one call, beside the ready power of the law
  std::vector<std::string> failures;      // "convolution (out of memory)"
};
// Each operation is called for about half a second. It rests in between, where the device draws
// `ready_w`:  e = E − P_ready (T − d) − P0 d.
DrawnEnergies measure_operations(const std::vector<WeighedOperation>& operations, double ready_w,
                                 const WorkEnergyLaw& law, Rig& rig);

}  // namespace ampere
