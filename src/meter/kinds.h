// The kinds of meters ampere brings along. A new one is a file of its own and a row in
// open_meter.cpp.
#pragma once

#include "ampere/meter.h"

namespace ampere {

MeterKind amdgpu_meter_kind();
MeterKind battery_meter_kind();
MeterKind hwmon_meter_kind();
MeterKind intel_gpu_meter_kind();
MeterKind jetson_meter_kind();
MeterKind modelled_meter_kind();
MeterKind nvml_meter_kind();
MeterKind rapl_meter_kind();
MeterKind replay_meter_kind();
MeterKind stream_meter_kind();
MeterKind trace_meter_kind();

}  // namespace ampere
