#include "whole_network.h"

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {

Measurement measure_whole_network(const Model& model, Rig& rig, const std::string& rig_name,
                                  Store& store, const Setup& setup, const Precision& precision) {
  const std::int64_t profile = store.open_profile(rig.device(), setup, rig_name);
  Observation observation{rig.device(), setup, model, "", {}, {}, "", ""};
  try {
    observation.measurement = rig.measure(model, setup, precision);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::failed) {
      observation.failure = error.what();
      observation.taken_at = utc_now();
      store.add(profile, observation);
    }
    throw;
  }
  observation.taken_at = utc_now();
  store.add(profile, observation);
  return *observation.measurement;
}

}  // namespace ampere
