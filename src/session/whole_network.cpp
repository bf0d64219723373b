#include "session/whole_network.h"

#include <algorithm>

#include "ampere/block.h"
#include "ampere/error.h"
#include "method/dual/dual.h"
#include "method/dual/dual_model.h"
#include "method/dual/dual_profile.h"

namespace ampere {
namespace {

bool knows_kinds_of(const Model& model, const DualModel& known) {
  const std::vector<Block> blocks = parse_blocks(model);
  return std::ranges::all_of(
      blocks, [&](const Block& block) { return known.maps.contains(block.kind->key); });
}

// Its own blocks are timed first: where it is wider than what was profiled, the energy alone would
// say little. A recording may not have them.
void time_blocks_of(const Model& model, const SharedDualModel& known, Rig& rig, Store& store,
                    std::int64_t profile, const Setup& setup) try {
  if (rig.can_time() && knows_kinds_of(model, *known))
    refine_dual(model, known, rig, store, profile, setup);
} catch (const Error& error) {
  if (error.code() != ErrorCode::unknown) throw;
}

void learn_from(const Model& model, Rig& rig, Store& store, std::int64_t profile,
                const Setup& setup) {
  const SharedDualModel known = load_dual(store, profile);
  if (!known) return;
  time_blocks_of(model, known, rig, store, profile, setup);
  refit_dual(store, profile, setup);
}

}  // namespace

Measurement measure_whole_network(const Model& model, Rig& rig, const std::string& rig_name,
                                  Store& store, const Setup& setup, const Precision& precision,
                                  Learning learning) {
  const std::int64_t profile = store.open_profile(rig.device(), setup, rig_name);
  Observation observation = observe_with_times(rig, model, nullptr, setup, precision);
  if (learning == Learning::no) observation.purpose = Purpose::check;
  store.add(profile, observation);
  if (!observation.measurement) throw Error(ErrorCode::failed, observation.failure);
  if (learning == Learning::yes) learn_from(model, rig, store, profile, setup);
  return *observation.measurement;
}

}  // namespace ampere
