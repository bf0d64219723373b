// Inference as the sum of fused kernels, predicted by Gaussian processes or by random forests.
#pragma once

#include <memory>
#include <vector>

#include "method/method.h"

namespace ampere {

std::vector<std::unique_ptr<Method>> make_kernel_methods();

}  // namespace ampere
