// Programs and operations of a simulated device.
#pragma once

#include <memory>
#include <string>

#include "ampere/rig.h"
#include "rig/sim_state.h"

namespace ampere {

// Programs are derived by rules (lower), and operations are timed by their law, with noise.
std::unique_ptr<Tracer> make_sim_tracer(const SimLaw& law, int seed,
                                        std::shared_ptr<SimState> state);

}  // namespace ampere
