#include "whole_network.h"

#include "ampere/error.h"

namespace ampere {

Measurement measure_whole_network(const Model& model, Rig& rig, const std::string& rig_name,
                                  Store& store, const Setup& setup, const Precision& precision) {
  const std::int64_t profile = store.open_profile(rig.device(), setup, rig_name);
  const Observation observation = observe(rig, model, setup, precision);
  store.add(profile, observation);
  if (!observation.measurement) throw Error(ErrorCode::failed, observation.failure);
  return *observation.measurement;
}

}  // namespace ampere
