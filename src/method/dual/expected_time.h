// How long a plan will take, before it is begun.
#pragma once

#include "method/dual/dual_profile.h"

namespace ampere {

// By what the profile has measured so far or, where that is little, by what a few blocks and a
// network of the plan take now. Nothing of that is kept.
Seconds expected_time(const DualPlan& missing, const ProfileOptions& options, Rig& rig,
                      const Store& store, std::optional<std::int64_t> profile, const Setup& setup);

}  // namespace ampere
