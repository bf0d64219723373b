// The plan of a dual profile as suggestions: networks with the reference between them, the device
// at rest, then blocks alone.
#pragma once

#include <memory>

#include "method/dual/dual_profile.h"
#include "method/suggestions.h"

namespace ampere {

std::unique_ptr<Suggestions> suggest_dual(const DualPlan& plan, const Setup& setup,
                                          const ProfileOptions& options);

// One block alone.
Suggestion timing_of(const BlockToTime& block, const Setup& setup);

}  // namespace ampere
