// Programs that were traced elsewhere than on the device of a profile.
#pragma once

#include <string>
#include <vector>

#include "ampere/program.h"
#include "method/operations/general_profile.h"
#include "method/operations/program_estimate.h"

namespace ampere {

// One warning for each way in which the program was not made for this device: another version of
// the framework (2.10 and 2.11 differ, 2.11.0 and 2.11.1 do not), another kind of device.
std::vector<std::string> differences_of_origin(const ProgramOrigin& origin,
                                               const GeneralHead& profile);

// Makes the intervals 1.5 times as wide, in the logarithm, for each difference: a few operations
// are others on another version or kind of device.
void widen(ProgramEstimate& estimate, std::size_t differences);
double wider_by(std::size_t differences);  // the factor of all of them together

}  // namespace ampere
