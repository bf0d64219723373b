// What both methods know of a family of networks on a device.
#pragma once

#include <cstdint>
#include <string>

#include "method/ampere/fit.h"
#include "method/dual/dual.h"

namespace ampere {

struct Known {
  Model original;
  Setup setup;
  Fits fits;
  SharedDualModel dual;
};

// By an evaluation of so many networks, as data/README.md says of the recordings.
Known learn(const std::string& rig, const std::string& family, std::int64_t batch, int networks);

}  // namespace ampere
