#include "base/interrupt.h"

#include <atomic>
#include <csignal>

#include "ampere/error.h"

namespace ampere {
namespace {

std::atomic<bool> flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "the flag is set inside a signal handler");

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

const std::atomic<bool>& interrupt_flag() { return flag; }

bool interrupted() { return flag; }

void stop_if_interrupted() {
  if (interrupted())
    throw Error(ErrorCode::interrupted, "interrupted; everything measured so far is kept");
}

void set_interrupted(bool value) { flag = value; }

}  // namespace ampere
