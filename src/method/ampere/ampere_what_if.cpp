#include "ampere/what_if.h"
#include "estimate/causes.h"
#include "method/ampere/fit_json.h"
#include "widths/forms_json.h"

namespace ampere {

std::string what_if_json(const Model& original, const Fits& fits, const Setup& setup) {
  require_covered(make_ampere_estimator(fits)->estimate(original, {}), original);
  Json json = forms_json("ampere", original, setup);
  for (Json& kind : json["kinds"])
    kind["fit"] = fit_json(fits.at(kind.at("key").get_ref<const std::string&>()));
  return json.dump();
}

}  // namespace ampere
