#include "campaign/profile_by.h"

#include <algorithm>
#include <iterator>

namespace ampere {

ProfileSummary profile_by(const Method& method, const ProfileTask& task,
                          const ProfileOptions& options, Campaign campaign) {
  const auto plan = method.plan(
      task, options, {campaign.rig(), campaign.store(), campaign.profile(), campaign.setup()});
  campaign.run(*plan);
  ProfileSummary summary;
  summary.method = method.name();
  method.conclude({campaign.store(), campaign.profile(), campaign.setup(), campaign.stop(),
                   campaign.listener()},
                  task, summary);
  const std::vector<std::string> noticed = std::move(summary.warnings);
  static_cast<Summary&>(summary) = campaign.finish();
  std::ranges::copy(noticed, std::back_inserter(summary.warnings));
  return summary;
}

}  // namespace ampere
