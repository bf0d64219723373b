#include "interrupt.h"

#include <csignal>

namespace ampere {
namespace {

std::atomic<bool> flag{false};

}  // namespace

void install_interrupt_handler() {
  struct sigaction action {};
  action.sa_handler = [](int) { flag = true; };
  // No SA_RESTART: a waiting poll() must return to see the flag.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

StopToken stop_token() { return StopToken(flag); }

}  // namespace ampere
