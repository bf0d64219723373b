// What one program costs more than another on a device that was profiled.
#pragma once

#include <vector>

#include "ampere/estimate.h"
#include "method/operations/program_estimate.h"

namespace ampere {

// Both were composed by this profile. An error of an operation's time is the same in both programs,
// so operations that both call equally often cancel; others of one group and format are correlated
// as inside one program. What the laws leave over, and the host, are relative errors that are equal
// for equal programs, and correlated for others by how alike their work is. The energy of
// operations that was measured is not left to the laws.
CostDifference program_difference(const Program& before, const ComposedProgram& of_before,
                                  const Program& after, const ComposedProgram& of_after,
                                  const OperationsProfile& profile);

// Module by module, in the order of the second program, and distinct operation by distinct
// operation, the largest change of energy first. An operation is changed when a module calls it
// with other shapes.
std::vector<PartDifference> module_differences(const Program& before,
                                               const ComposedProgram& of_before,
                                               const Program& after,
                                               const ComposedProgram& of_after);
std::vector<PartDifference> operation_differences(const Program& before,
                                                  const ComposedProgram& of_before,
                                                  const Program& after,
                                                  const ComposedProgram& of_after);

}  // namespace ampere
