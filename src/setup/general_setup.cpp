#include "setup/general_setup.h"

#include "setup/setup_json.h"

namespace ampere {

Setup general_setup() {
  Setup setup;
  setup.batch = 0;
  return setup;
}

bool is_general(const Setup& setup) { return setup == general_setup(); }

Json profile_setup_json(const Setup& setup) {
  return is_general(setup) ? Json{{"general", true}} : setup_json(setup);
}

Setup read_profile_setup(const JsonField& json) {
  if (!json.has("general")) return read_setup(json);
  if (!json.at("general").boolean()) json.at("general").fail("must be true where it is given");
  return general_setup();
}

}  // namespace ampere
