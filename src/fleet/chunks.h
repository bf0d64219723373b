// A model is trained in chunks. Before each one its energy is drawn, and after each one progress is
// recorded; so a job that is started again repeats one chunk at most.
#pragma once

#include <cstdint>

#include "ampere/units.h"

namespace ampere {

// About a twentieth of the job, but not so short that waiting for the meter weighs much, and not so
// long that it cannot be finished between the signal to stop and the kill.
Seconds chunk_time(Seconds job);

// How many iterations a chunk should have when one takes so long; at least one.
std::int64_t chunk_iterations(Seconds job, Seconds iteration);

// What executing a job takes beyond its iterations: building the network, waiting for the meter
// after each chunk, and the margin that keeps the last chunk from exceeding the reservation. A
// reservation and a time limit should contain it.
struct Overhead {
  Seconds time{};
  Joules energy;
};
// The second is for a command, which has a grace to save itself before its energy is used up.
Overhead execution_overhead(Seconds job_most, Watts power_most);
Overhead command_overhead(Seconds checkpoint_grace, Watts power_most);

}  // namespace ampere
