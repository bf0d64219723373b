#include "store/shareable.h"

#include "base/without_places.h"
#include "store/transfer.h"

namespace ampere {

DeviceInfo shareable(DeviceInfo device) {
  device.meter = without_places(without_command(device.meter));
  device.fingerprint = fingerprint_of(device);
  return device;
}

Observation shareable(Observation observation) {
  observation.device = shareable(std::move(observation.device));
  observation.failure = without_places(observation.failure);
  if (observation.measurement)
    for (std::string& note : observation.measurement->notes) note = without_places(note);
  return observation;
}

BlockTiming shareable(BlockTiming timing) {
  timing.failure = without_places(timing.failure);
  return timing;
}

ProfileRow shareable(ProfileRow row) {
  row.device = shareable(std::move(row.device));
  row.rig = without_command(without_mark(row.rig));
  return row;
}

}  // namespace ampere
