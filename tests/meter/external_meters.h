// Meters over files and commands that go on for the life of the program.
#pragma once

#include <memory>

#include "ampere/meter.h"

namespace ampere::testing_support {

std::unique_ptr<Meter> open_fake_battery();
std::unique_ptr<Meter> open_fake_trace();
std::unique_ptr<Meter> open_fake_stream();
std::unique_ptr<Meter> open_fake_replay();

}  // namespace ampere::testing_support
