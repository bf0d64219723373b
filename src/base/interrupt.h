// Ctrl-C as a question that long loops ask, so that what was measured so far can be kept.
#pragma once

#include <atomic>

namespace ampere {

// SIGINT and SIGTERM set the flag; the same signal a second time ends the program as usual.
// Programs install it, the library only asks.
void install_interrupt_handler();

const std::atomic<bool>& interrupt_flag();
bool interrupted();
void stop_if_interrupted();  // throws Error(interrupted), for loops that store all they measure
void set_interrupted(bool value);

}  // namespace ampere
