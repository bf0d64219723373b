// The command that makes a missing profile, with the network and the setup that it is missing for.
#pragma once

#include <string>
#include <vector>

#include "ampere/session.h"

namespace ampere {

struct MissingProfile {
  std::string model;  // as the user wrote it
  Setup setup = {};
  std::string rig = {};  // empty: the default of `ampere profile`
};

// "--batch 64 --precision bf16": the batch, and what differs from the defaults.
std::string setup_words(const Setup& setup);

// "ampere profile cnn5 --rig sim:xavier --batch 64"; with the method where one is named.
std::string profile_command(const MissingProfile& missing, const std::string& method = "");

// The rig that all of these profiles were taken with, if this machine can open it by its name;
// empty where they differ.
std::string rig_of(const std::vector<ProfileRow>& rows);

// The same error with that command in its text, where profiling would help; else as it is.
Error with_profile_command(const Error& error, const MissingProfile& missing);

}  // namespace ampere
