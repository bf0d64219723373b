// A profile by one method: its plan run to the end, then everything fitted.
#pragma once

#include "campaign/campaign.h"
#include "method/method.h"

namespace ampere {

ProfileSummary profile_by(const Method& method, const ProfileTask& task,
                          const ProfileOptions& options, Campaign campaign);

}  // namespace ampere
