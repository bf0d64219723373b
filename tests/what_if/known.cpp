#include "known.h"

#include "ampere/rig.h"
#include "evaluate/evaluation_run.h"

namespace ampere {

Known learn(const std::string& rig_name, const std::string& family, std::int64_t batch,
            int networks) {
  EvaluationOptions options;
  options.methods = {"ampere", "dual"};
  options.seed = 11;
  options.precision = {.relative_error = 0.03, .time_limit = Seconds(1.4)};
  options.profile.precision = options.precision;
  options.profile.points = 6;
  options.dual.precision.relative_error = options.precision.relative_error;
  options.dual.precision.time_limit = options.precision.time_limit;
  options.dual.timings = 400;
  options.dual.networks = 18;
  options.baseline_limit = Seconds(45);
  RigOptions rig_options;
  rig_options.seed = 11;
  const auto rig = open_rig(rig_name, rig_options);
  const auto store = open_store("memory:");
  const Setup setup{.batch = batch};
  run_evaluation(family_task(family, networks, options.seed), *rig, rig_name, *store, setup,
                 options,
                 {[](const KindProgress&) {}, [](const DualProgress&) {}, [](const std::string&) {},
                  [](const std::string&) {}});
  const std::int64_t profile = store->profiles().front().id;
  return {open_model(family), setup, read_fits(store->fits(profile)), load_dual(*store, profile)};
}

}  // namespace ampere
