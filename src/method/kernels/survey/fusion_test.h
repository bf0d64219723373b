// Which neighbours a device runs as one, by measuring them together and apart.
#pragma once

#include <memory>

#include "method/kernels/survey.h"
#include "method/suggestions.h"

namespace ampere {

// By energy or by time, whichever says it more clearly. Not decided where neither is beyond three
// standard errors.
void decide(FusionTest& test, const std::optional<InferenceOverhead>& overhead);

// The overhead first, then every candidate of these networks: again and again where it is not
// decided, up to a bound. What the store says of other pairs stays, and every decision is in it
// before the next measurement begins. The store must outlive the plan.
class FusionPlan : public Suggestions {
 public:
  virtual const FusionFindings& findings() const = 0;
};
std::unique_ptr<FusionPlan> plan_fusion(std::span<const Model> networks, Store& store,
                                        std::int64_t profile, const Setup& setup,
                                        Precision precision);

// An inference of nothing: what is left is what every inference costs beside its kernels.
Model empty_network();

// Mean over what was measured, with the standard error of each and the scatter among them. None
// where all failed.
std::optional<RunCost> run_cost_of(std::span<const Observation> observations);

}  // namespace ampere
