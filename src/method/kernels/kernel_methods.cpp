#include "method/kernels/kernel_methods.h"

#include <fmt/format.h>

#include <algorithm>

#include "method/kernels/survey.h"
#include "method/kernels/survey/host_reference.h"
#include "method/suggestion_list.h"

namespace ampere {
namespace {

class KernelMethod final : public Method {
 public:
  KernelMethod(PredictorKind kind, std::string description)
      : kind_(kind), name_(inference_method(kind)), description_(std::move(description)) {}

  const std::string& name() const override { return name_; }
  const std::string& description() const override { return description_; }
  bool serves(Phase phase) const override { return phase == Phase::inference; }

  bool answers(const Store& store, const ProfileRow& profile) const override {
    const std::vector<PredictorKind> known = stored_predictors(store, profile.id);
    return std::ranges::find(known, kind_) != known.end();
  }

  std::unique_ptr<Estimator> load(const Store& store, const ProfileRow& profile,
                                  const Model* network,
                                  const std::set<std::string>& without) const override {
    return make_kernel_estimator(store, profile.id, kind_, network, without);
  }

  // Networks that were measured whole say how kernels make a network, which the forest, as its
  // authors have it, does not look at.
  MeasuringCost cost(const Store& store, const ProfileRow& profile,
                     const ProfileTask&) const override {
    MeasuringCost cost = survey_cost(store, profile.id);
    if (kind_ == PredictorKind::forest) return cost;
    const MeasuringCost whole =
        cost_with_times_of(store.find({.profile = profile.id, .purpose = Purpose::network}));
    return {cost.points + whole.points, cost.seconds + whole.seconds};
  }

  std::string evaluation_label(const ProfileOptions&, const Store& store,
                               std::int64_t profile) const override {
    return fmt::format("survey of {}, ", survey_cost(store, profile).points);
  }

  MeasuringCost own_cost(const Store& store, const ProfileRow& profile,
                         const ProfileTask&) const override {
    return survey_cost(store, profile.id);
  }

  // Kernels are surveyed for a device once (suggest_survey), not for each task.
  bool has_plan() const override { return false; }
  std::unique_ptr<Suggestions> plan(const ProfileTask&, const ProfileOptions&,
                                    const ProfileBench&) const override {
    return nullptr;
  }

  // A network that was measured whole is part of the composition from now on.
  void conclude(const FitBench& bench, const ProfileTask&, ProfileSummary&) const override {
    if (kind_ == PredictorKind::gp) keep_composition(bench.store, bench.profile);
  }

  // Its kernels were surveyed with the device; what may be another now is the host.
  std::unique_ptr<Suggestions> refinement(const Model&, const ProfileBench&) const override {
    return std::make_unique<SuggestionList>("kernels", std::vector<Suggestion>{});
  }

  std::optional<UsualHost> usual_host(const Store& store, std::int64_t profile,
                                      const ProfileTask&) const override {
    return host_of_survey(store, profile);
  }

  std::optional<double> host_slowdown(const ProfileBench& bench, StopToken stop) const override {
    if (!knows_host(read_kernel_fits(bench.store, bench.profile, kind_))) return std::nullopt;
    return slowdown_since_survey(bench.rig, bench.store, bench.profile, bench.setup, stop);
  }

 private:
  PredictorKind kind_;
  std::string name_, description_;
};

}  // namespace

std::vector<std::unique_ptr<Method>> make_kernel_methods() {
  std::vector<std::unique_ptr<Method>> methods;
  methods.push_back(std::make_unique<KernelMethod>(
      PredictorKind::gp, "the sum of fused kernels, by Gaussian processes"));
  methods.push_back(std::make_unique<KernelMethod>(PredictorKind::forest,
                                                   "the same by random forests, as DeepEn2023"));
  return methods;
}

}  // namespace ampere
