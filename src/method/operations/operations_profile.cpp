#include "method/operations/operations_profile.h"

#include "method/operations/operations_json.h"

namespace ampere {
namespace {

constexpr const char* kFormat = "ampere-operations-profile";
// Raised when features are added, removed or computed in another way.
constexpr std::int64_t kVersion = 1;

}  // namespace

OperationsProfile fit_operations_profile(const std::vector<TimedOperation>& timed,
                                         const std::vector<ProgramWindow>& windows,
                                         const OperationDevice& device,
                                         const MapFitOptions& options) {
  const FittedMap fitted = fit_operation_map(timed, device, options);
  return {fitted.map, fit_operation_laws(windows, timed, fitted)};
}

std::string to_json(const OperationsProfile& profile) {
  return Json{{"format", kFormat},
              {"version", kVersion},
              {"map", operation_map_json(profile.map)},
              {"laws", operation_laws_json(profile.laws)}}
      .dump();
}

OperationsProfile parse_operations_profile(std::string_view text, const std::string& origin) {
  const Json json = parse_json(text, origin);
  const JsonField root(json, origin + ": ");
  if (root.at("format").text() != kFormat) root.at("format").fail("is not a profile of operations");
  if (root.at("version").integer() != kVersion)
    root.at("version").fail("is another version; profile the device again", Remedy::profile);
  return {read_operation_map(root.at("map")), read_operation_laws(root.at("laws"))};
}

}  // namespace ampere
