// The published method: blocks isolated by subtraction, one Gaussian process per kind, sums.
#pragma once

#include <memory>

#include "method/method.h"

namespace ampere {

std::unique_ptr<Method> make_ampere_method();

}  // namespace ampere
