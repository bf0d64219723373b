// The method "operations": one general profile of a device answers for any network, batch,
// optimizer and number format, since it knows what single operations cost.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "method/method.h"
#include "method/operations/general_profile.h"
#include "method/operations/program_estimate.h"

namespace ampere {

inline constexpr const char* kOperationsMethod = "operations";

std::unique_ptr<Method> make_operations_method();

// One iteration of the network as it runs on this device. Throws Error(usage) that says why where
// that is not known, and Error(unknown) for products in TF32 where none was timed.
Program program_of(const Model& model, const Setup& setup, const GeneralProfile& profile);

// The same with the reason instead of an error, and what then says that there is no estimate.
struct MadeProgram {
  std::optional<Program> program;
  std::string why_not;
};
MadeProgram make_program(const Model& model, const Setup& setup, const GeneralProfile& profile);
Estimate uncovered(const Model& model, const std::string& why);

// Throws Error(unknown) when the profile is not a general one, and Error(usage) when it is broken.
GeneralProfile load_general_profile(const Store& store, const ProfileRow& profile);

// A program of another version of the framework, or for another kind of device, than the profile is
// estimated all the same, with a warning and with intervals that are 1.5 times as wide for each (in
// the logarithm). One that generates text is, too, since a profile rests on training iterations.
// Throws Error(usage) for a program without steps, and Error(unknown) for one that multiplies in
// TF32, or generates text in a number format, of which no product was timed.
Estimate estimate_of_program(const Program& program, const GeneralProfile& profile,
                             const ProgramEvidence& evidence, const Workload& workload);

}  // namespace ampere
