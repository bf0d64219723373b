#include "fleet/kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {
namespace {

// What Slurm has of it, for messages: all features or all GRES.
std::vector<std::string> names_there_are(std::span<const SlurmNode> nodes, bool gres) {
  std::set<std::string> names;
  for (const SlurmNode& node : nodes) {
    if (!gres) names.insert(node.features.begin(), node.features.end());
    if (gres)
      for (const auto& [name, count] : node.gres) names.insert(name);
  }
  return {names.begin(), names.end()};
}

[[noreturn]] void fail_unknown(const FleetFile& fleet, const KindSpec& kind,
                               std::span<const SlurmNode> nodes) {
  const bool gres = !kind.gres.empty();
  const std::string& wanted = gres ? kind.gres : kind.constraint;
  const std::vector<std::string> there = names_there_are(nodes, gres);
  throw Error(
      ErrorCode::unknown,
      fmt::format("{}: devices.{}: no node of this cluster has the {} '{}'{}; there {}", fleet.path,
                  kind.name, gres ? "GRES" : "feature", wanted, suggestion(wanted, there),
                  there.empty() ? "are none" : fmt::format("are {}", fmt::join(there, ", "))));
}

// "xavier&fast" selects nodes by a rule that only Slurm knows.
bool is_expression(const std::string& constraint) {
  return constraint.find_first_of("&|!*[]()") != std::string::npos;
}

std::int64_t devices_of(const KindSpec& kind, const SlurmNode& node) {
  if (kind.gres.empty()) return node.has(kind.constraint) ? 1 : 0;
  const auto found = node.gres.find(split(kind.gres, ':').front());
  return found == node.gres.end() ? 0 : found->second;
}

KindNow kind_on(const FleetFile& fleet, const KindSpec& kind, std::span<const SlurmNode> nodes) {
  KindNow now{kind, {}, 0};
  for (const SlurmNode& node : nodes) {
    const std::int64_t devices = devices_of(kind, node);
    if (devices == 0) continue;
    now.nodes.push_back(node.name);
    if (node.usable()) now.count += devices;
  }
  if (is_expression(kind.constraint)) {
    if (!kind.count)
      throw Error(ErrorCode::usage,
                  fmt::format("{}: devices.{}: the constraint '{}' is a rule that only Slurm can "
                              "apply; give a count",
                              fleet.path, kind.name, kind.constraint));
  } else if (now.nodes.empty()) {
    fail_unknown(fleet, kind, nodes);
  }
  if (kind.count && (now.count > 0 || is_expression(kind.constraint))) now.count = *kind.count;
  return now;
}

}  // namespace

std::vector<KindNow> kinds_now(const FleetFile& fleet,
                               std::optional<std::span<const SlurmNode>> nodes) {
  std::vector<KindNow> kinds;
  for (const KindSpec& kind : fleet.kinds) {
    if (nodes) {
      kinds.push_back(kind_on(fleet, kind, *nodes));
      continue;
    }
    if (!kind.count)
      throw Error(
          ErrorCode::usage,
          fmt::format("{}: devices.{}: without Slurm nobody says how many there are; give a "
                      "count",
                      fleet.path, kind.name));
    kinds.push_back({kind, {}, *kind.count});
  }
  return kinds;
}

bool is_simulated_rig(const std::string& rig) {
  return rig.starts_with("sim:") || rig.starts_with("recorded:");
}

std::optional<ProfileQuery> profile_query(const KindSpec& kind, const DeviceOfKind& devices,
                                          const Setup& setup) {
  ProfileQuery query;
  query.setup = setup;
  if (is_simulated_rig(kind.rig)) {
    query.rig = kind.rig;
    return query;
  }
  const auto found = devices.find(kind.name);
  if (found == devices.end()) return std::nullopt;
  query.profile = found->second;
  return query;
}

}  // namespace ampere
