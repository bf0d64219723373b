// The measuring protocol: the one place where a network is trained while a meter runs. Whatever
// trains and whatever meters (a real framework and a real counter, or a simulated device) meet
// here.
#pragma once

#include <memory>

#include "ampere/rig.h"
#include "ampere/training.h"
#include "rig/clock.h"

namespace ampere {

// Without a learner it cannot train on data.
std::unique_ptr<Rig> make_bench_rig(DeviceInfo device, std::unique_ptr<Trainer> trainer,
                                    std::unique_ptr<Meter> meter, std::unique_ptr<Clock> clock,
                                    std::unique_ptr<Learner> learner = nullptr);

}  // namespace ampere
