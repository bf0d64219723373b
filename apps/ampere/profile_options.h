// The options of profiling, for the verbs that profile.
#pragma once

#include "ampere/session.h"
#include "options.h"

namespace ampere {

// Ends the line of a summary: empty, or how to continue after the time limit.
const char* limit_text(bool stopped);

inline constexpr Seconds kDualPointSeconds{2};  // what a dual profile takes per network, for help

// How much is measured for the dual method.
struct DualOptions {
  int timings = ProfileOptions{}.timings, networks = ProfileOptions{}.networks;
  std::string networks_option = "--networks";  // what `networks` was given by, for messages
};
// Where --networks counts other networks too, those of the profile are --profile-networks.
enum class OtherNetworks { no, yes };
void add_dual_options(CLI::App& command, DualOptions& options, OtherNetworks others);

// What was given on the command line; everything else is the method's own. Throws Error(usage).
ProfileOptions profile_options(const MeasuringOptions& measuring, const DualOptions& dual = {});

}  // namespace ampere
