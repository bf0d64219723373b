// Programs that were traced elsewhere than on the device of a profile, or do something else than
// what it has measured.
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

// The same for what the profile has never measured: text that is generated, since it rests on
// training iterations; products and convolutions in fp16, for which those in bf16 stand in.
std::vector<std::string> differences_of_use(const Program& program, const GeneralHead& profile);

// Makes the intervals 1.5 times as wide, in the logarithm, for each difference of the origin: a few
// operations are others on another version or kind of device. A difference of the use alone does
// the same; beside others it is an error of its own, which is combined with theirs as deviations
// are.
void widen(ProgramEstimate& estimate, std::size_t origin, std::size_t use = 0);
void widen(Interval& interval, double factor);
double wider_by(std::size_t origin, std::size_t use = 0);  // the factor of all of them together

}  // namespace ampere
