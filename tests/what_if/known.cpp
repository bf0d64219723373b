#include "known.h"

#include "ampere/rig.h"
#include "method/ampere/profile.h"
#include "method/dual/dual_profile.h"
#include "support/evaluating.h"

namespace ampere {

Known learn(const std::string& rig_name, const std::string& family, std::int64_t batch,
            int networks) {
  EvaluationOptions options;
  options.methods = {"ampere", "dual"};
  options.seed = 11;
  options.precision = {.relative_error = 0.03, .time_limit = Seconds(1.4)};
  options.profile.points = 6;
  options.profile.measure_error = options.precision.relative_error;
  options.profile.point_seconds = options.precision.time_limit;
  options.profile.timings = 400;
  options.profile.networks = 18;
  options.baseline_limit = Seconds(45);
  RigOptions rig_options;
  rig_options.seed = 11;
  const auto rig = open_rig(rig_name, rig_options);
  const auto store = open_store("memory:");
  const Setup setup{.batch = batch};
  testing_support::evaluate(family_task(family, networks, options.seed), options, *rig, *store,
                            setup);
  const std::int64_t profile = store->profiles().front().id;
  return {open_model(family), setup, read_fits(store->fits(profile)), load_dual(*store, profile)};
}

}  // namespace ampere
