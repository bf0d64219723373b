#include "ampere/error.h"
#include "ampere/observation.h"
#include "base/text.h"

namespace ampere {

Observation observe(Rig& rig, Model model, const Setup& setup, const Precision& precision) {
  Observation observation;
  observation.device = rig.device();
  observation.setup = setup;
  observation.model = std::move(model);
  try {
    observation.measurement = rig.measure(observation.model, setup, precision);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::failed) throw;
    observation.failure = error.what();
  }
  observation.taken_at = utc_now();
  return observation;
}

}  // namespace ampere
