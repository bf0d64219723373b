#include "ampere/what_if.h"
#include "estimate/causes.h"
#include "method/dual/dual.h"
#include "method/dual/dual_json.h"
#include "widths/forms_json.h"

namespace ampere {

std::string what_if_json(const Model& original, SharedDualModel model) {
  require_covered(make_dual_estimator(model)->estimate(original, {}), original);
  Json json = forms_json("dual", original, model->setup);
  json["laws"] = laws_json(*model);
  for (Json& kind : json["kinds"])
    kind["map"] = map_json(model->maps.at(kind.at("key").get_ref<const std::string&>()));
  return json.dump();
}

}  // namespace ampere
