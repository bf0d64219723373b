// The measuring protocol: the one place where a network is trained while a meter runs. Whatever
// trains and whatever meters (a real framework and a real counter, or a simulated device) meet
// here.
#pragma once

#include <functional>
#include <memory>

#include "ampere/learner.h"
#include "ampere/rig.h"
#include "rig/clock.h"

namespace ampere {

// Told of every window as it is taken, rejected ones included.
using WindowSink = std::function<void(const Window&)>;

// Without a learner it cannot train on data.
std::unique_ptr<Rig> make_bench_rig(DeviceInfo device, std::unique_ptr<Trainer> trainer,
                                    std::unique_ptr<Meter> meter, std::unique_ptr<Clock> clock,
                                    WindowSink on_window = {},
                                    std::unique_ptr<Learner> learner = nullptr);

}  // namespace ampere
