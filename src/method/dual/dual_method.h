// Our own method, for devices that work beside their host.
#pragma once

#include <memory>

#include "method/method.h"

namespace ampere {

std::unique_ptr<Method> make_dual_method();

}  // namespace ampere
