#include "ampere/error.h"
#include "ampere/store.h"
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

Observation observe_with_times(Rig& rig, Model model, const Model* reference, const Setup& setup,
                               const Precision& precision) {
  Observation observation = observe(rig, std::move(model), setup, precision);
  if (!observation.measurement) return observation;
  const auto unless_it_fails = [](const auto& ask) {
    try {
      ask();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::failed && error.code() != ErrorCode::unknown) throw;
    }
  };
  if (rig.can_time())
    unless_it_fails([&] { observation.timing = rig.time(observation.model, setup); });
  if (reference != nullptr && rig.can_pace())
    unless_it_fails([&] {
      observation.pace = rig.pace(observation.model, *reference, setup);
      observation.pace->reference = model_hash(*reference);
    });
  return observation;
}

}  // namespace ampere
