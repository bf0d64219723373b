// Measurements and what belongs to them as JSON, for the protocol, recordings and the store.
// Reading throws Error(usage) that names the field. Keys contain the unit; what was not measured is
// null.
#pragma once

#include "ampere/store.h"
#include "base/json.h"
#include "setup/setup_json.h"

namespace ampere {

Json precision_json(const Precision& precision);
Precision read_precision(const JsonField& json);

Json device_json(const DeviceInfo& device);
Json device_brief_json(const DeviceInfo& device);  // name and fingerprint
DeviceInfo read_device(const JsonField& json);     // computes the fingerprint

// Unknown numbers are null, and so is a period of 0.
Json meter_json(const MeterInfo& meter);

Json window_json(const Window& window);
Window read_window(const JsonField& json);

Json measurement_json(const Measurement& measurement);
Measurement read_measurement(const JsonField& json);

Json timing_json(const Timing& timing);
Timing read_timing(const JsonField& json);

Json pace_json(const Pace& pace);
Pace read_pace(const JsonField& json);

Json block_timing_json(const BlockTiming& timing);
BlockTiming read_block_timing(const JsonField& json);

Json observation_json(const Observation& observation);
Observation read_observation(const JsonField& json);
// As it was written before observations had a purpose.
Observation read_old_observation(const JsonField& json);

}  // namespace ampere
