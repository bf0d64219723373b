#include <algorithm>
#include <set>

#include "method/kernels/survey.h"
#include "method/kernels/survey/pool.h"

namespace ampere {
namespace {

int untested(std::span<const Model> networks, const std::optional<FusionFindings>& findings) {
  int pairs = 0;
  for (const FusionCandidate& candidate : fusion_candidates(networks))
    pairs += !findings || std::ranges::find(findings->tests, candidate.pair, &FusionTest::pair) ==
                              findings->tests.end();
  return pairs;
}

}  // namespace

SurveyPlan preview_survey(std::span<const Model> networks, const Store& store,
                          std::optional<std::int64_t> profile, const SurveyOptions& options) {
  std::optional<FusionFindings> findings;
  if (profile) findings = read_fusion(store, *profile);
  SurveyPlan plan;
  plan.fusion_pairs = untested(networks, findings);
  const std::vector<TypePool> pools =
      make_pools(networks, findings ? findings->rules : default_fusion_rules(), options);
  if (pools.empty()) return plan;
  const auto takes = first_round(pools, options.configurations);
  int known = 0;
  for (std::size_t i = 0; i < pools.size(); ++i) {
    SurveyPlan::Type type{pools[i].type, static_cast<int>(pools[i].in_networks.size()),
                          static_cast<int>(takes[i]), 0};
    if (profile) {
      std::set<std::string> hashes;
      for (const Observation& seen :
           store.find({.profile = *profile, .purpose = Purpose::kernel, .kind = type.type}))
        hashes.insert(model_hash(seen.model));
      type.known = static_cast<int>(hashes.size());
    }
    known += type.known;
    plan.types.push_back(std::move(type));
  }
  plan.at_most = std::max(0, options.configurations - known);
  return plan;
}

}  // namespace ampere
