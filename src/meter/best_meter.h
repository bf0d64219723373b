// Which of the meters that work here to take when nobody says.
#pragma once

#include <string>
#include <vector>

#include "ampere/meter.h"

namespace ampere {

// The spec of the measuring meter that sees the most of what a command uses on this machine, and
// nothing of it twice: one of the processor and every GPU, "rapl+nvml:0+nvml:1", or one of the
// whole board. Empty when nothing measures here.
std::string best_machine_meter(const std::vector<MeterProbe>& probes);

// The same for what only uses the processor. Empty when nothing measures it.
std::string best_processor_meter(const std::vector<MeterProbe>& probes);

// What to open where nothing measures, having said that its joules are modelled.
inline constexpr const char* kMachineModel = "modelled:cpu=machine";

}  // namespace ampere
