// The kinds of meters ampere brings along. A new one is a file of its own and a row in
// open_meter.cpp.
#pragma once

#include "ampere/meter.h"

namespace ampere {

MeterKind modelled_meter_kind();
MeterKind nvml_meter_kind();

}  // namespace ampere
