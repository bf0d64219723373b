#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "ampere/error.h"
#include "base/text.h"
#include "meter/kinds.h"

namespace ampere {
namespace {

std::array<const MeterKind*, 2> kinds() { return {&kNvmlMeter, &kModelledMeter}; }

}  // namespace

std::unique_ptr<Meter> open_meter(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  const std::string_view argument =
      colon == std::string_view::npos ? std::string_view{} : spec.substr(colon + 1);
  std::vector<std::string> names;
  for (const MeterKind* kind : kinds()) {
    if (name == kind->name) return kind->open(argument);
    names.emplace_back(kind->name);
  }
  throw Error(ErrorCode::usage, fmt::format("no meter is called '{}'{} (there are: {})", name,
                                            suggestion(name, names), fmt::join(names, ", ")));
}

std::vector<MeterProbe> probe_meters() {
  std::vector<MeterProbe> probes;
  for (const MeterKind* kind : kinds())
    for (MeterProbe& probe : kind->probe()) probes.push_back(std::move(probe));
  return probes;
}

}  // namespace ampere
