#include "session/survey.h"

#include <algorithm>
#include <iterator>

#include "campaign/campaign.h"

namespace ampere {

SurveySummary run_survey(Session& session, std::span<const Model> networks, const Setup& setup,
                         const SurveyOptions& options, std::optional<Seconds> time_limit,
                         const NamedRig& rig) {
  Campaign campaign(rig.rig, rig.spec, session.store(), setup, {time_limit}, session.stop(),
                    session.listener());
  const auto plan =
      suggest_survey(networks, session.store(), campaign.profile(), setup, options);
  campaign.run(*plan);
  SurveySummary summary;
  plan->describe(summary);
  conclude_survey(session.store(), session.find_profile(std::to_string(campaign.profile())),
                  summary);
  const std::vector<std::string> noticed = std::move(summary.warnings);
  static_cast<Summary&>(summary) = campaign.finish();
  std::ranges::copy(noticed, std::back_inserter(summary.warnings));
  return summary;
}

}  // namespace ampere
