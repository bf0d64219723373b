// Running a profile with its progress on the terminal, for the verbs that profile.
#pragma once

#include <span>

#include "ampere/profile.h"
#include "options.h"
#include "progress.h"

namespace ampere {

// One line of a profile's progress.
void show_kind(ProgressLine& line, const KindProgress& now);

ProfileSummary profile_with_progress(std::span<const Model> models, Rig& rig,
                                     const std::string& rig_name, Store& store, const Setup& setup,
                                     const ProfileOptions& options);

}  // namespace ampere
