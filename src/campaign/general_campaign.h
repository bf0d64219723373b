// Fills the general profile of a device: times a sweep of operations alone, measures a few programs
// for their energy, and fits what estimates need.
#pragma once

#include "ampere/profiling.h"
#include "ampere/progress.h"
#include "ampere/rig.h"
#include "ampere/store.h"

namespace ampere {

// What is in the store is not measured again, and everything finished is there before the next
// request begins. Throws Error(usage) when the rig cannot time operations, and Error(interrupted)
// when asked to stop.
ProfileSummary profile_generally(Rig& rig, const std::string& rig_name, Store& store,
                                 const GeneralOptions& options, StopToken stop, Listener& listener);

// What of it is missing, and about how long that takes on a GPU. Throws as it does.
ProfilePreview preview_general(const Rig& rig, const Store& store,
                               std::optional<std::int64_t> profile, const GeneralOptions& options);

}  // namespace ampere
