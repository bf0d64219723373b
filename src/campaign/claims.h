// Sharing a profile with other processes that measure into it at the same time.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "ampere/progress.h"
#include "ampere/store.h"
#include "method/suggestions.h"

namespace ampere {

// Nothing when another process has it. What is not looked up in the store needs no claim, and gets
// one that nobody else knows of.
std::unique_ptr<Claim> try_claim(Store& store, std::int64_t profile, const Suggestion& suggestion);

// The claim of a point, once nobody else has it. A long wait for `what` is told to the listener.
// Nothing when `give_up` says so; throws Error(interrupted) when the caller asks to stop.
struct ClaimWait {
  StopToken stop;
  Listener& listener;
  std::string what;
  std::function<bool()> give_up;
};
std::unique_ptr<Claim> wait_for_claim(const std::function<std::unique_ptr<Claim>()>& try_once,
                                      const ClaimWait& wait);

}  // namespace ampere
