// Training on data that takes time and power on a virtual device, and teaches nothing: the weights
// count the iterations.
#pragma once

#include <memory>

#include "virtual_device.h"

namespace ampere::testing_support {

// Knows the data set "virtual" alone.
std::unique_ptr<Learner> make_virtual_learner(std::shared_ptr<VirtualDevice> device);

}  // namespace ampere::testing_support
