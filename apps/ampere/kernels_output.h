// The output of `ampere kernels`, as text and as JSON.
#pragma once

#include "ampere/kernels.h"
#include "ampere/rig.h"
#include "base/json.h"

namespace ampere {

Json survey_json(const SurveySummary& summary, const DeviceInfo& device);
void print_survey(const SurveySummary& summary, const DeviceInfo& device);

Json plan_json(const SurveyPlan& plan, const DeviceInfo& device, double seconds_each);
void print_plan(const SurveyPlan& plan, const DeviceInfo& device, double seconds_each);

// The cost of a network compared with the sum of its kernels. Where it is unknown, the JSON is null
// and nothing is printed.
Json composition_json(const std::optional<KernelComposition>& composition);
void print_composition(const std::optional<KernelComposition>& composition);

// Cross-validated errors per kernel type.
Json fittings_json(const std::vector<FittedKernels>& fitted);
void print_fittings(const std::vector<FittedKernels>& fitted);

}  // namespace ampere
