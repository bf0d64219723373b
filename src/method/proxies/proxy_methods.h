// What people use today instead of profiling blocks: FLOPs and other counts, and NeuralPower.
#pragma once

#include <memory>
#include <vector>

#include "method/method.h"

namespace ampere {

std::vector<std::unique_ptr<Method>> make_proxy_methods();

}  // namespace ampere
