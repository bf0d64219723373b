// Inference on a device: which operators it fuses, what its kernels cost, and the predictors made
// of that, measured into a store and read from it again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ampere/kernels.h"
#include "ampere/rig.h"
#include "ampere/store.h"
#include "method/kernels/kernel_data.h"
#include "method/kernels/kernel_fit.h"
#include "method/suggestions.h"

namespace ampere {

// First what fuses, then these networks as they are, then kernels of these networks and others
// around them, more and more where the predictors are furthest off. Equal seeds choose equal
// kernels, so that a survey that was cut off goes on as if nothing had happened. Throws Error(usage)
// for networks without kernels and setups that are no inference. The store must outlive it.
class SurveySuggestions : public Suggestions {
 public:
  virtual void describe(SurveySummary& summary) const = 0;  // what it found so far
};
std::unique_ptr<SurveySuggestions> suggest_survey(std::span<const Model> networks, Store& store,
                                                  std::int64_t profile, const Setup& setup,
                                                  const SurveyOptions& options);

// Fits predictors to all that the profile has, and keeps them.
void conclude_survey(Store& store, const ProfileRow& profile, SurveySummary& summary);

// Under the rules that the store has, or the default ones.
SurveyPlan preview_survey(std::span<const Model> networks, const Store& store,
                          std::optional<std::int64_t> profile, const SurveyOptions& options);

// What a survey found out, or an imported table says; nothing where neither does.
std::optional<FusionFindings> read_fusion(const Store& store, std::int64_t profile);
FusionRules read_fusion_rules(const Store& store, std::int64_t profile);  // or the default ones

// Everything that the profile has of this level, measured and imported, with the environment that
// reading it back elsewhere needs: device, setup, fusion rules, overhead.
EnergyTable kernel_table(const Store& store, const ProfileRow& profile,
                         TableLevel level = TableLevel::kernel);

// Kernel types to read; all when empty.
KernelFits read_kernel_fits(const Store& store, std::int64_t profile, PredictorKind kind,
                            const std::vector<std::string>& types = {});
void put_kernel_fits(Store& store, std::int64_t profile, const KernelFits& fits);
// The kinds of predictors that the profile has at least one of.
std::vector<PredictorKind> stored_predictors(const Store& store, std::int64_t profile);

// A table of others into the profile of its device, which is made when it is not there yet: one for
// each device, delegate, runtime, precision and source that its rows have. The device is what its
// environment says (device, hardware, runtime, …), or `device` by name. The same table a second
// time changes nothing. Throws Error(usage) when nothing says which device it is, or how the
// energies were found (source_of).
std::vector<std::int64_t> keep_table(Store& store, const EnergyTable& table,
                                     const std::string& device = "");

// How the networks that the profile has measured whole compare with the sums of their kernels by
// the gp; some may be left out, by their hash. Keeping it makes it a part of later estimates.
std::optional<KernelComposition> composition_of(const Store& store, std::int64_t profile,
                                                const std::set<std::string>& without = {});
std::optional<KernelComposition> keep_composition(Store& store, std::int64_t profile);
std::optional<KernelComposition> read_composition(const Store& store, std::int64_t profile);

// What a profile's estimates rest on beside the predictors. The forest's are plain sums, as its
// authors'.
InferenceOptions read_inference_options(const Store& store, std::int64_t profile,
                                        PredictorKind kind);

// The method's name: "kernels" for gp, "kernels-forest".
const char* inference_method(PredictorKind kind);

// By the fits, rules, overhead and composition of a profile; only what this network needs is read
// when one is given. Networks in `without` (by hash) have no part in the composition. Throws
// Error(unknown) when the profile has no fit of this kind.
std::unique_ptr<Estimator> make_kernel_estimator(const Store& store, std::int64_t profile,
                                                 PredictorKind kind,
                                                 const Model* network = nullptr,
                                                 const std::set<std::string>& without = {});

// All that the methods from kernels rest on: kernels, neighbours and the inference of nothing.
MeasuringCost survey_cost(const Store& store, std::int64_t profile);

}  // namespace ampere
