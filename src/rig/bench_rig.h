// The measuring protocol: the one place where a network is trained while a meter runs. Trainer,
// meter and clock are those of a real device or of a simulated one.
#pragma once

#include <memory>

#include "ampere/rig.h"
#include "ampere/train.h"
#include "rig/clock.h"

namespace ampere {

// Computes the fingerprint of the device. Without a learner the rig cannot train on data; a tracer
// is for a trainer that has none of its own.
std::unique_ptr<Rig> make_bench_rig(DeviceInfo device, std::unique_ptr<Trainer> trainer,
                                    std::unique_ptr<Meter> meter, std::unique_ptr<Clock> clock,
                                    std::unique_ptr<Learner> learner = nullptr,
                                    std::unique_ptr<Tracer> tracer = nullptr);

}  // namespace ampere
