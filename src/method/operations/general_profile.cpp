#include "method/operations/general_profile.h"

#include "method/operations/operations_json.h"
#include "record/record_json.h"

namespace ampere {
namespace {

constexpr const char* kFormat = "ampere-general-profile";
// Raised when features are added, removed or computed in another way.
constexpr std::int64_t kVersion = 1;

}  // namespace

std::string to_json(const GeneralProfile& profile) {
  return Json{{"format", kFormat},
              {"version", kVersion},
              {"device", device_json(profile.device)},
              {"kind", profile.is_gpu ? "gpu" : "cpu"},
              {"taken_at", profile.taken_at},
              {"operations", profile.operations},
              {"windows", profile.windows},
              {"map", operation_map_json(profile.fitted.map)},
              {"laws", operation_laws_json(profile.fitted.laws)}}
      .dump();
}

GeneralProfile parse_general_profile(std::string_view text, const std::string& origin) {
  const Json json = parse_json(text, origin);
  const JsonField root(json, origin + ": ");
  if (root.at("format").text() != kFormat) root.at("format").fail("is not a general profile");
  if (root.at("version").integer() != kVersion)
    root.at("version").fail("is another version; profile the device again", Remedy::profile);
  const std::string kind = root.at("kind").text();
  if (kind != "gpu" && kind != "cpu") root.at("kind").fail("is neither gpu nor cpu");
  GeneralProfile profile;
  profile.device = read_device(root.at("device"));
  profile.is_gpu = kind == "gpu";
  profile.taken_at = root.at("taken_at").text();
  profile.operations = root.at("operations").integer();
  profile.windows = root.at("windows").integer();
  profile.fitted = {read_operation_map(root.at("map")), read_operation_laws(root.at("laws"))};
  return profile;
}

Dialect dialect_of(const GeneralProfile& profile) {
  return profile.is_gpu ? Dialect{} : cpu_dialect();
}

}  // namespace ampere
