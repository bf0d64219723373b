// A meter in real time whose counter moves in steps, under a load that the test sets.
#pragma once

#include <atomic>
#include <cmath>

#include "ampere/error.h"
#include "ampere/meter.h"
#include "base/steady_now.h"

namespace ampere::testing_support {

class SteppingMeter final : public Meter {
 public:
  explicit SteppingMeter(Seconds period) : began_(steady_now()) {
    info_.name = "stepping";
    info_.method = "test";
    info_.domains = {{"whole", true, "machine", ""}, {"part", false, "machine/part", ""}};
    info_.update_period = period;
  }

  const MeterInfo& info() const override { return info_; }

  // The whole at 100 W, the part at 40 W, to the last step.
  Reading read() override {
    if (fails) throw Error(ErrorCode::failed, "stepping: it is gone");
    const Seconds period = info_.update_period, now = steady_now();
    const Seconds step = period.count() > 0 ? std::floor(now / period) * period : now;
    const Seconds counted = stands_still ? Seconds{0} : std::max(step - began_, Seconds{0});
    return {stands_still ? now : std::max(step, began_),
            {Watts{100} * counted, Watts{40} * counted}};
  }

  std::atomic<bool> fails{false}, stands_still{false};

 private:
  Seconds began_;
  MeterInfo info_;
};

}  // namespace ampere::testing_support
