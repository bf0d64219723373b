// The watts behind modelled energy, and where they come from.
#pragma once

#include <string>

#include "ampere/units.h"
#include "meter/meter_settings.h"
#include "meter/modelled/tdp.h"

namespace ampere {

struct PowerModel {
  Watts idle{5};
  Watts core{10};      // of one busy logical core
  std::string origin;  // "TDP 65 W of AMD Ryzen 5 3600, looked up", "assumed"
};

// From what the settings say (static, core, tdp), else from the TDP of the processor, else assumed.
// Throws Error(usage).
PowerModel choose_power_model(const MeterSettings& settings, const CpuInfo& cpu);

}  // namespace ampere
