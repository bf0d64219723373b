// Configurations as the rows that a fit's laws are asked with.
#pragma once

#include <span>

#include "method/kernels/predict/law.h"

namespace ampere {

FeatureRows feature_rows(const KernelFit& fit, std::span<const KernelConfig> configs);

// Outside what the fit has seen, or with a size that it does not look at and that is not as usual.
bool is_extrapolated(const KernelFit& fit, const KernelConfig& config);

}  // namespace ampere
