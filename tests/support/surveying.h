// A survey in tests, run to its end and fitted.
#pragma once

#include <span>
#include <vector>

#include "method/kernels/survey.h"
#include "support/profiling.h"

namespace ampere::testing_support {

inline SurveySummary survey(std::span<const Model> networks, const SurveyOptions& options,
                            const TestBench& bench, const Limits& limits = {}) {
  Campaign campaign = bench.campaign(limits);
  const auto plan = suggest_survey(networks, bench.store, campaign.profile(), bench.setup, options);
  campaign.run(*plan);
  SurveySummary summary;
  plan->describe(summary);
  static_cast<Summary&>(summary) = campaign.finish();
  conclude_survey(bench.store, bench.store.profiles().at(0), summary);
  return summary;
}

}  // namespace ampere::testing_support
