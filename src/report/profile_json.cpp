#include "report/profile_json.h"

#include "record/record_json.h"

namespace ampere {

Json profile_json(const ProfileRow& row, const std::vector<std::string>& methods) {
  return {{"id", std::to_string(row.id)},
          {"device", device_json(row.device)},
          {"setup", setup_json(row.setup)},
          {"rig", row.rig},
          {"methods", methods},
          {"kinds", row.kinds},
          {"points", row.observations - row.failures},
          {"failures", row.failures},
          {"tests", row.tests},
          {"updated_at", row.updated_at}};
}

}  // namespace ampere
