// Which neighbours a device runs as one, by measuring them together and apart.
#pragma once

#include <functional>

#include "method/kernels/survey/measurer.h"

namespace ampere {

// By energy or by time, whichever says it more clearly. Not decided where neither is beyond three
// standard errors.
void decide(FusionTest& test, const std::optional<InferenceOverhead>& overhead);

using FusionListener = std::function<void(const OperatorPair& pair, int done, int of)>;

// The overhead first, then every candidate of these networks: again and again where it is not
// decided, up to a bound. What the store says of other pairs stays. Nothing where time was up
// before the end; then the rules known so far are to be used.
FusionFindings test_fusion(std::span<const Model> networks, Measurer& measurer,
                           const Precision& precision, const FusionListener& listener);

}  // namespace ampere
