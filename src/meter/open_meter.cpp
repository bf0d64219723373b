#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>

#include "ampere/error.h"
#include "base/text.h"
#include "meter/composite.h"
#include "meter/kinds.h"

namespace ampere {
namespace {

// The kinds known to this program; those that come first are the better ones.
struct Registry {
  std::mutex mutex;  // guards what follows
  std::vector<MeterKind> kinds = {
      nvml_meter_kind(),   amdgpu_meter_kind(), intel_gpu_meter_kind(), jetson_meter_kind(),
      rapl_meter_kind(),   hwmon_meter_kind(),  battery_meter_kind(),   trace_meter_kind(),
      stream_meter_kind(), replay_meter_kind(), modelled_meter_kind()};
};

Registry& registry() {
  static Registry registry;
  return registry;
}

std::vector<MeterKind> known_kinds() {
  const std::scoped_lock lock(registry().mutex);
  return registry().kinds;
}

std::unique_ptr<Meter> open_one(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  const std::string_view argument =
      colon == std::string_view::npos ? std::string_view{} : spec.substr(colon + 1);
  std::vector<std::string> names;
  for (const MeterKind& kind : known_kinds()) {
    if (name == kind.name) return kind.open(argument);
    names.push_back(kind.name);
  }
  throw Error(ErrorCode::usage, fmt::format("no meter is called '{}'{} (there are: {})", name,
                                            suggestion(name, names), fmt::join(names, ", ")));
}

// A '+' joins meters only before the name of one: "replay:a+b.csv" is a single meter.
std::vector<std::string> parts_of(std::string_view spec) {
  std::vector<std::string> parts;
  for (const std::string& piece : split(spec, '+')) {
    const std::string name = piece.substr(0, piece.find(':'));
    const bool begins = std::ranges::any_of(
        known_kinds(), [&name](const MeterKind& kind) { return kind.name == trim(name); });
    if (begins || parts.empty())
      parts.push_back(piece);
    else
      parts.back() += "+" + piece;
  }
  return parts;
}

}  // namespace

void add_meter_kind(MeterKind kind) {
  if (kind.name.empty() || kind.name.find_first_of(":+ ") != std::string::npos)
    throw Error(
        ErrorCode::usage,
        fmt::format("'{}' cannot be the name of a meter: it stands before a ':'", kind.name));
  const std::scoped_lock lock(registry().mutex);
  for (const MeterKind& known : registry().kinds)
    if (known.name == kind.name)
      throw Error(ErrorCode::usage, fmt::format("there is a meter '{}' already", kind.name));
  registry().kinds.push_back(std::move(kind));
}

std::unique_ptr<Meter> open_meter(std::string_view spec) {
  const std::vector<std::string> parts = parts_of(spec);
  if (parts.size() <= 1) return open_one(spec);
  std::vector<std::unique_ptr<Meter>> members;
  for (const std::string& part : parts) members.push_back(open_one(trim(part)));
  return make_composite_meter(std::move(members));
}

std::vector<MeterProbe> probe_meters() {
  std::vector<MeterProbe> probes;
  for (const MeterKind& kind : known_kinds())
    for (MeterProbe& probe : kind.probe()) probes.push_back(std::move(probe));
  return probes;
}

}  // namespace ampere
