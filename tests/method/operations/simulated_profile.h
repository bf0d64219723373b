// A general profile of the simulated device, as one of a real device is made.
#pragma once

#include "method/operations/general_profile.h"

namespace ampere::testing_support {

// A window of the simulated device with the noise of real ones.
ProgramWindow window_of(const Program& program, const std::string& family, unsigned seed);

struct FamilyProgram {
  Program program;
  std::string family;
};
// A few networks of the zoo, as lower() makes programs of them, in several batches and formats.
std::vector<FamilyProgram> usual_programs();

// Fitted to all operations of these programs, and to one window of each.
GeneralProfile simulated_general_profile(const std::vector<FamilyProgram>& programs);
inline GeneralProfile simulated_general_profile() {
  return simulated_general_profile(usual_programs());
}

}  // namespace ampere::testing_support
