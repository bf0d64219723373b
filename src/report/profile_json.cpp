#include "report/profile_json.h"

#include "record/record_json.h"
#include "report/estimate_json.h"
#include "setup/general_setup.h"

namespace ampere {

Json profile_json(const ProfileRow& row, const std::vector<std::string>& methods,
                  const std::optional<GeneralCounts>& general) {
  Json json{{"id", profile_name(row)},
            {"device", device_json(row.device)},
            {"setup", profile_setup_json(row.setup)},
            {"rig", row.rig},
            {"methods", methods},
            {"kinds", row.kinds},
            {"points", general ? general->windows : row.observations - row.failures},
            {"failures", row.failures},
            {"tests", row.tests},
            {"updated_at", row.updated_at}};
  if (general) json["operations"] = general->operations;
  return json;
}

}  // namespace ampere
