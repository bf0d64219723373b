// The kinds of meters there are. A new one is a file of its own and a row in open_meter.cpp.
#pragma once

#include "ampere/meter.h"

namespace ampere {

struct MeterKind {
  const char* name;  // what stands before the ':' of a spec
  // The argument is what stands after it, or empty.
  std::unique_ptr<Meter> (*open)(std::string_view argument);
  std::vector<MeterProbe> (*probe)();  // never throws for a missing source
};

extern const MeterKind kModelledMeter;
extern const MeterKind kNvmlMeter;

}  // namespace ampere
