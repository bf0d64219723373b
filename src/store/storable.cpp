#include "store/storable.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "record/record_json.h"
#include "setup/general_setup.h"

namespace ampere {
namespace {

Json through_text(const Json& json) { return parse_json(json_text(json), "value to store"); }

}  // namespace

DeviceInfo storable(const DeviceInfo& device) {
  return read_device({through_text(device_json(device)), "device to store: "});
}

Setup storable(const Setup& setup) {
  return read_profile_setup({through_text(profile_setup_json(setup)), "setup to store: "});
}

Observation storable(const Observation& observation) {
  return read_observation({through_text(observation_json(observation)), "observation to store: "});
}

std::vector<BlockTiming> storable(const std::vector<BlockTiming>& timings) {
  std::vector<BlockTiming> own;
  own.reserve(timings.size());
  for (const BlockTiming& timing : timings) {
    require_utf8(timing.kind, "the key of a kind");
    own.push_back(
        read_block_timing({through_text(block_timing_json(timing)), "timing to store: "}));
  }
  return own;
}

void require_utf8(std::string_view text, const std::string& what) {
  try {
    Json(text).dump();
  } catch (const Json::type_error&) {
    throw Error(ErrorCode::usage, fmt::format("{} cannot be stored: it is not UTF-8 text", what));
  }
}

void require_member(const Observation& observation, const DeviceInfo& device, const Setup& setup) {
  if (observation.device.fingerprint != device.fingerprint)
    throw Error(ErrorCode::usage,
                fmt::format("an observation of device '{}' ({}) does not belong to a profile of "
                            "'{}' ({}): open a profile for that device",
                            observation.device.name, observation.device.fingerprint, device.name,
                            device.fingerprint));
  if (observation.setup != setup)
    throw Error(ErrorCode::usage,
                fmt::format("an observation at {} does not belong to a profile at {}: open a "
                            "profile for that setup",
                            to_string(observation.setup), to_string(setup)));
}

void throw_no_profile(std::int64_t id) {
  throw Error(ErrorCode::unknown,
              fmt::format("no profile {} in the store; look which ones there are", id),
              Remedy::list_profiles);
}

}  // namespace ampere
