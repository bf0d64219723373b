// The machine's own time.
#pragma once

#include <memory>
#include <string>

#include "rig/clock.h"

namespace ampere {

// `proc` is where /proc is: its "stat" tells what the hypervisor took.
std::unique_ptr<Clock> make_real_clock(std::string proc = "/proc");

}  // namespace ampere
