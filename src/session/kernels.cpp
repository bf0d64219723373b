#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ampere/error.h"
#include "ampere/session.h"
#include "campaign/campaign.h"
#include "method/kernels/cut/columns.h"
#include "method/kernels/survey.h"
#include "session/empty_profile.h"

namespace ampere {
namespace {

class StoredPredictor final : public KernelPredictor {
 public:
  explicit StoredPredictor(KernelFits fits) : fits_(std::move(fits)) {}

  KernelCost predict(const std::string& type, const KernelConfig& config) const override {
    const auto fit = fits_.find(type);
    if (fit == fits_.end())
      throw Error(ErrorCode::unknown, fmt::format("no predictor for '{}'", type));
    return ampere::predict(fit->second, without_usual(type, config));
  }

 private:
  KernelFits fits_;
};

}  // namespace

SurveySummary Session::kernels(const SurveyRequest& request, const NamedRig& rig) {
  Campaign campaign(rig.rig, rig.spec, *store_, request.setup, {request.time_limit}, stop_,
                    *listener_);
  const auto plan =
      suggest_survey(request.networks, *store_, campaign.profile(), request.setup, request.options);
  without_empty_profile(*this, rig.rig.device(), request.setup, [&] { campaign.run(*plan); });
  SurveySummary summary;
  plan->describe(summary);
  conclude_survey(*store_, find_profile(std::to_string(campaign.profile())), summary);
  const std::vector<std::string> noticed = std::move(summary.warnings);
  static_cast<Summary&>(summary) = campaign.finish();
  std::ranges::copy(noticed, std::back_inserter(summary.warnings));
  return summary;
}

SurveyPlan Session::preview(const SurveyRequest& request, const Rig& rig) const {
  return preview_survey(request.networks, *store_, profile_of(rig.device(), request.setup),
                        request.options);
}

KnownKernels Session::known_kernels(const ProfileRow& profile) const {
  KnownKernels known{
      read_fusion_rules(*store_, profile.id), {}, stored_predictors(*store_, profile.id)};
  for (const TableRow& row : ampere::kernel_table(*store_, profile).rows) ++known.rows[row.name];
  return known;
}

Session::Refitted Session::fit_kernels(const ProfileRow& profile,
                                       const std::vector<PredictorKind>& kinds, int folds) {
  const EnergyTable table = ampere::kernel_table(*store_, profile);
  if (table.rows.empty())
    throw Error(ErrorCode::unknown,
                fmt::format("profile {} has no kernels: measure or import some", profile.id),
                Remedy::survey_or_import);
  Refitted result;
  for (const PredictorKind kind : kinds) {
    const KernelFitting fitting = ampere::fit_kernels(table, {.kind = kind, .folds = folds});
    put_kernel_fits(*store_, profile.id, fitting.fits);
    result.fitted.push_back(summary_of(fitting));
  }
  result.composition = keep_composition(*store_, profile.id);
  return result;
}

std::unique_ptr<KernelPredictor> Session::kernel_predictor(const ProfileRow& profile,
                                                           PredictorKind kind) const {
  KernelFits fits = read_kernel_fits(*store_, profile.id, kind);
  if (fits.empty())
    throw Error(
        ErrorCode::unknown,
        fmt::format("profile {} has no predictors by {}: fit some", profile.id, to_string(kind)),
        Remedy::fit_kernels);
  return std::make_unique<StoredPredictor>(std::move(fits));
}

EnergyTable Session::kernel_table(const ProfileRow& profile, TableLevel level) const {
  return ampere::kernel_table(*store_, profile, level);
}

std::vector<std::int64_t> Session::keep_kernels(const EnergyTable& table,
                                                const std::string& device) {
  return keep_table(*store_, table, device);
}

}  // namespace ampere
