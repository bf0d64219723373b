// A meter of your own: the watts on a device's nameplate, times the time.
#pragma once

#include <ampere/meter.h>

// For ampere::add_meter_kind: from then on "nameplate:WATTS" opens one.
ampere::MeterKind nameplate_meter_kind();
