// The values that are sent between programs and stored, as JSON. Reading throws Error(usage) that
// names the field. Units are in the keys; what was not measured is null.
#pragma once

#include "ampere/observation.h"
#include "base/json.h"

namespace ampere {

Json setup_json(const Setup& setup);
Setup read_setup(const JsonField& json);

Json precision_json(const Precision& precision);
Precision read_precision(const JsonField& json);

Json device_json(const DeviceInfo& device);
Json device_brief_json(const DeviceInfo& device);  // name and fingerprint
DeviceInfo read_device(const JsonField& json);     // the fingerprint is computed, not believed

// What a meter is. Unknown numbers (a period of 0 is one: new at every read) are null.
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
