// The time of the machine.
#pragma once

#include <memory>
#include <string>

#include "rig/clock.h"

namespace ampere {

// `proc` is the folder of /proc, whose file "stat" says how much time the hypervisor took.
std::unique_ptr<Clock> make_real_clock(std::string proc = "/proc");

}  // namespace ampere
