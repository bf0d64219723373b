// A judge of widths by the composer of a method.
#pragma once

#include <memory>

#include "ampere/estimate.h"
#include "ampere/train.h"
#include "ampere/widths.h"
#include "estimate/composer.h"

namespace ampere {

// Every block is given to the composer once, so that a network costs no more than composing it.
// `estimator` is the method's own, for what a search asks rarely. Throws Error(unknown) naming the
// blocks of the original that are not known.
std::unique_ptr<WidthJudge> make_composed_judge(const Model& original, const Setup& setup,
                                                std::unique_ptr<Composer> composer,
                                                std::unique_ptr<Estimator> estimator);

}  // namespace ampere
