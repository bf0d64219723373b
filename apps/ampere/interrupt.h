// Ctrl-C as a flag that long work looks at, so that everything measured so far is kept.
#pragma once

#include "ampere/progress.h"

namespace ampere {

// SIGINT and SIGTERM set the flag; the same signal a second time ends the program as usual.
void install_interrupt_handler();

// From now on the same signals a second time only set the flag again.
void outlast_interrupts();

StopToken stop_token();  // stops when the flag is set

}  // namespace ampere
