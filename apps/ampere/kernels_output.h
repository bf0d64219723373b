// What the verbs around kernels say, as text and as JSON.
#pragma once

#include "base/json.h"
#include "method/kernels/survey.h"

namespace ampere {

Json survey_json(const SurveySummary& summary, const DeviceInfo& device);
void print_survey(const SurveySummary& summary, const DeviceInfo& device);

Json plan_json(const SurveyPlan& plan, const DeviceInfo& device, double seconds_each);
void print_plan(const SurveyPlan& plan, const DeviceInfo& device, double seconds_each);

// What a network costs against the sum of its kernels; null, and nothing, where that is not known.
Json composition_json(const std::optional<KernelComposition>& composition);
void print_composition(const std::optional<KernelComposition>& composition);

// Cross-validated errors, type by type.
Json fittings_json(const std::vector<KernelFitting>& fittings);
void print_fittings(const std::vector<KernelFitting>& fittings);

}  // namespace ampere
