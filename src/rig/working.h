// Training a number of iterations within an amount of energy.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ampere/rig.h"
#include "rig/clock.h"

namespace ampere {

// A network that stays on the device until another one is asked for, and what is known of it.
struct KeptNetwork {
  std::string hash;
  Setup setup;
  std::unique_ptr<TrainJob> job;
  Seconds iteration{};  // how long one took last; 0 before the first
  Watts highest_power;

  bool is_of(const WorkRequest& request) const;
};

// Builds the network when there is none, and fills `network` in. The meter should be attentive.
// Tells about once per second what is done. Throws what building and training throw, and
// Error(failed) when the meter does not move; then nothing is kept.
WorkDone work(std::optional<KeptNetwork>& network, Trainer& trainer, Meter& meter, Clock& clock,
              const WorkRequest& request, const std::function<void(const WorkDone&)>& tell);

}  // namespace ampere
