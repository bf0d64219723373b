#include "fleet/fleet_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ampere/error.h"
#include "base/known_keys.h"
#include "base/text.h"
#include "fleet/fields.h"

namespace ampere {
namespace {

constexpr std::int64_t kMostDevices = 100'000;
constexpr double kMostScale = 1000;

KindSpec read_kind(const JsonField& json, const std::string& name) {
  static const std::vector<std::string> kKeys{"constraint", "gres", "rig", "meter", "count"};
  refuse_unknown_keys(json, kKeys);
  KindSpec kind;
  kind.name = name;
  kind.gres = json.text_or("gres", "");
  kind.constraint = json.text_or("constraint", kind.gres.empty() ? name : "");
  kind.rig = json.text_or("rig", kind.rig);
  kind.meter = json.text_or("meter", "");
  if (json.has("count")) {
    kind.count = json.at("count").integer();
    if (*kind.count < 1 || *kind.count > kMostDevices)
      json.at("count").fail(fmt::format("{} is not between 1 and {}", *kind.count, kMostDevices));
  }
  return kind;
}

}  // namespace

const KindSpec& FleetFile::kind(const std::string& name) const {
  const auto found = std::ranges::find(kinds, name, &KindSpec::name);
  if (found != kinds.end()) return *found;
  std::vector<std::string> names;
  for (const KindSpec& each : kinds) names.push_back(each.name);
  throw Error(ErrorCode::unknown,
              fmt::format("{}: there is no kind of device '{}'{}; there are {}", path, name,
                          suggestion(name, names), fmt::join(names, ", ")));
}

FleetFile read_fleet_file(const Json& document, const std::string& path) {
  static const std::vector<std::string> kKeys{"time_scale", "program", "logs", "devices"};
  const JsonField json(document, path + ": ");
  refuse_unknown_keys(json, kKeys);
  FleetFile fleet;
  fleet.path = path;
  fleet.time_scale = json.number_or("time_scale", 1);
  if (!(fleet.time_scale >= 0 && fleet.time_scale <= kMostScale))
    json.at("time_scale").fail(fmt::format("must be between 0 and {}", kMostScale));
  fleet.program = json.text_or("program", "");
  fleet.logs = json.text_or("logs", "");
  if (json.has("devices"))
    for (const std::string& name : json.at("devices").keys()) {
      const Json named = name;
      plain_name(JsonField(named, path + ": devices"));
      fleet.kinds.push_back(read_kind(json.at("devices").at(name), name));
    }
  if (fleet.kinds.empty())
    json.fail("there are no devices; write a table [devices.NAME] for each kind");
  return fleet;
}

}  // namespace ampere
