#include "ampere/estimate.h"
#include "ampere/what_if.h"
#include "base/packed_matrix.h"
#include "estimate/causes.h"
#include "method/ampere/fit.h"
#include "widths/forms_json.h"

namespace ampere {
namespace {

Json process_json(const GaussianProcess& process) {
  const GpHyperparameters& found = process.hyperparameters();
  return {{"constant", process.constant()},
          {"signal_variance", found.signal_variance},
          {"length_scales", packed(found.length_scales)},
          {"x", packed(process.x())},
          {"weights", packed(process.weights())},
          {"inverse_lower", packed(process.inverse_lower())}};
}

}  // namespace

std::string what_if_json(const Model& original, const Fits& fits, const Setup& setup) {
  require_covered(make_ampere_estimator(fits)->estimate(original, {}), original);
  Json json = forms_json("ampere", original, setup);
  for (Json& kind : json["kinds"]) {
    const KindFit& fit = fits.at(kind.at("key").get_ref<const std::string&>());
    kind["low"] = fit.low;
    kind["high"] = fit.high;
    kind["energy_j"] = process_json(fit.energy);
    kind["time_s"] = process_json(fit.time);
  }
  return json.dump();
}

}  // namespace ampere
