#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "method/host_speed.h"
#include "method/kernels/survey.h"

namespace ampere {
namespace {

std::vector<std::string> types_of(const Model& network, const FusionRules& rules) {
  std::vector<std::string> types;
  for (const Kernel& kernel : kernels_of(network, rules)) types.push_back(kernel.type);
  std::ranges::sort(types);
  types.erase(std::unique(types.begin(), types.end()), types.end());
  return types;
}

[[noreturn]] void throw_no_fits(const Store& store, std::int64_t profile, PredictorKind kind) {
  const auto others = stored_predictors(store, profile);
  if (others.empty())
    throw Error(ErrorCode::unknown,
                fmt::format("profile {} has no predictors of kernels: measure kernels, or fit "
                            "predictors to those that were imported",
                            profile),
                Remedy::survey_or_fit);
  throw Error(ErrorCode::unknown,
              fmt::format("profile {} has predictors by {} and none by {}: fit those", profile,
                          to_string(others.front()), to_string(kind)),
              Remedy::fit_kernels, to_string(kind));
}

}  // namespace

const char* inference_method(PredictorKind kind) {
  return kind == PredictorKind::gp ? "kernels" : "kernels-forest";
}

InferenceOptions read_inference_options(const Store& store, std::int64_t profile,
                                        PredictorKind kind) {
  InferenceOptions options;
  if (auto findings = read_fusion(store, profile)) {
    options.rules = std::move(findings->rules);
    options.overhead = findings->overhead;
  }
  if (kind == PredictorKind::gp) options.composition = read_composition(store, profile);
  options.ready_w = find_ready_w(store, profile);
  return options;
}

MeasuringCost survey_cost(const Store& store, std::int64_t profile) {
  MeasuringCost cost;
  for (const Purpose purpose : {Purpose::kernel, Purpose::fusion, Purpose::overhead}) {
    const MeasuringCost some =
        cost_with_times_of(store.find({.profile = profile, .purpose = purpose}));
    cost.points += some.points;
    cost.seconds += some.seconds;
  }
  return cost;
}

std::unique_ptr<Estimator> make_kernel_estimator(const Store& store, std::int64_t profile,
                                                 PredictorKind kind, const Model* network,
                                                 const std::set<std::string>& without) {
  InferenceOptions options = read_inference_options(store, profile, kind);
  if (kind == PredictorKind::gp && !without.empty())
    options.composition = composition_of(store, profile, without);
  KernelFits fits;
  if (network != nullptr) {
    const std::vector<std::string> types = types_of(*network, options.rules);
    if (!types.empty()) fits = read_kernel_fits(store, profile, kind, types);
  } else {
    fits = read_kernel_fits(store, profile, kind);
  }
  if (fits.empty() && std::ranges::count(stored_predictors(store, profile), kind) == 0)
    throw_no_fits(store, profile, kind);
  return make_inference_estimator(std::move(fits), std::move(options));
}

}  // namespace ampere
