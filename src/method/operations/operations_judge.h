// A judge of widths by single operations.
#pragma once

#include <memory>

#include "ampere/estimate.h"
#include "ampere/train.h"
#include "ampere/widths.h"
#include "method/operations/general_profile.h"

namespace ampere {

// Lowers the network at each of the widths that it is asked for. What the profile says of an
// operation is kept, and so is what was found of a network. `estimator` is the method's own, for
// what a search asks rarely. Throws Error(unknown) that says why the original cannot be lowered.
std::unique_ptr<WidthJudge> make_operations_judge(const Model& original, const Setup& setup,
                                                  std::shared_ptr<const GeneralProfile> profile,
                                                  std::unique_ptr<Estimator> estimator);

}  // namespace ampere
