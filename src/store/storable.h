// What every store does with a value before it keeps it, so that all of them keep the same: the
// value goes through its JSON and back. What JSON cannot carry (a number that is not finite) throws
// Error(usage) here, before anything is written; broken UTF-8 in messages becomes U+FFFD.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ampere/store.h"
#include "base/json_text.h"

namespace ampere {

DeviceInfo storable(const DeviceInfo& device);  // with its fingerprint computed
Setup storable(const Setup& setup);
Observation storable(const Observation& observation);
std::vector<BlockTiming> storable(const std::vector<BlockTiming>& timings);

// Keys and opaque texts are kept as they are or not at all: Error(usage) unless they are UTF-8.
void require_utf8(std::string_view text, const std::string& what);

// Error(usage) unless the observation is of this device and setup.
void require_member(const Observation& observation, const DeviceInfo& device, const Setup& setup);

[[noreturn]] void throw_no_profile(std::int64_t id);  // Error(unknown)

}  // namespace ampere
