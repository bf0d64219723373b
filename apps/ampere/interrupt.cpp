#include "interrupt.h"

#include <csignal>

namespace ampere {
namespace {

std::atomic<bool> flag{false};

// No SA_RESTART: a waiting poll() must return to see the flag.
void install(int flags) {
  struct sigaction action {};
  action.sa_handler = [](int) { flag = true; };
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

void install_interrupt_handler() { install(static_cast<int>(SA_RESETHAND)); }

void outlast_interrupts() { install(0); }

StopToken stop_token() { return StopToken(flag); }

}  // namespace ampere
