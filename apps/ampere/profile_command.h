// The command that makes a missing profile, with the network and the setup that it is missing for.
#pragma once

#include <optional>
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

// How a batch that does not fit can be trained all the same: smaller ones, accumulated.
struct SmallerBatch {
  std::int64_t batch = 1, accumulation = 1;
};
// Half of the batch, a quarter … until the predicted peak fits with the usual margin. Nothing where
// even one sample does not, or where the peak cannot be predicted.
std::optional<SmallerBatch> batch_that_fits(const Model& model, const Setup& setup,
                                            std::int64_t memory_bytes);

// "--batch 32 --accumulate 4 would fit …", as a warning.
std::string smaller_batch_text(const SmallerBatch& smaller);

}  // namespace ampere
