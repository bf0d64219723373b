// `ampere fleet devices`: nodes, kinds, and what their profiles are worth.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/or_null.h"
#include "base/text.h"
#include "base/utc.h"
#include "fleet/drift.h"
#include "fleet_options.h"
#include "fleet_verbs.h"
#include "front_door.h"
#include "print.h"

namespace ampere {
namespace {

struct KindReport {
  KindNow kind;
  std::optional<ProfileRow> profile;  // the latest of its device
  std::int64_t profiles = 0;          // of its device, with any setup
  EnergyDrift drift;
};

// The latest profile of the kind's device, with whatever setup, and how many there are.
void find_profiles(KindReport& report, const Session& session, const DeviceOfKind& devices) {
  const KindSpec& kind = report.kind.spec;
  const auto known = devices.find(kind.name);
  for (const ProfileRow& row : session.store().profiles()) {
    const bool same = is_simulated_rig(kind.rig)
                          ? row.rig == kind.rig
                          : known != devices.end() && row.device.fingerprint == known->second;
    if (!same) continue;
    if (!report.profile) report.profile = row;
    ++report.profiles;
    add_checks(report.drift, session, row);
  }
}

std::vector<FleetJob> jobs_so_far(const std::string& store) try {
  if (!is_database_url(store)) return {};
  const auto database = open_fleet_database(store, Access::write);
  return JobTable(database).find();
} catch (const Error& error) {
  if (error.code() != ErrorCode::unknown) throw;
  return {};
}

std::vector<KindReport> kind_reports(std::vector<KindNow> kinds, const std::string& store) {
  const Session session = open_preview_session(store);
  const DeviceOfKind devices = known_devices(store);
  const auto drifts = drift_of_jobs(jobs_so_far(store));
  std::vector<KindReport> reports;
  for (KindNow& kind : kinds) {
    KindReport& report = reports.emplace_back(KindReport{std::move(kind), {}, 0, {}});
    if (const auto found = drifts.find(report.kind.spec.name); found != drifts.end())
      report.drift = found->second;
    find_profiles(report, session, devices);
  }
  return reports;
}

std::optional<double> age_s(const KindReport& report) {
  if (!report.profile) return std::nullopt;
  const auto at = parse_utc(report.profile->updated_at);
  if (!at) return std::nullopt;
  return std::max(0.0, Seconds(utc_seconds_now() - *at).count());
}

std::string drift_text(const EnergyDrift& drift) {
  const auto energy = drift.energy();
  if (!energy) return "not known";
  return fmt::format("{}{}", *energy < 0 ? "" : "+", percent(*energy));
}

void print_kinds(const std::vector<KindReport>& reports) {
  std::vector<std::vector<std::string>> rows{
      {"kind", "devices", "rig", "profile", "age", "energy drift", "compared"}};
  for (const KindReport& report : reports) {
    const auto age = age_s(report);
    rows.push_back({report.kind.spec.name, std::to_string(report.kind.count), report.kind.spec.rig,
                    report.profile ? fmt::format("{} ({})", report.profile->id,
                                                 to_string(report.profile->device.source))
                                   : "none",
                    age ? duration(*age) : "", drift_text(report.drift),
                    fmt::format("{}, {}", counted(report.drift.jobs, "job"),
                                counted(report.drift.checks, "check"))});
  }
  print_table(rows);
}

std::vector<std::string> kinds_of(const SlurmNode& node, const std::vector<KindReport>& reports) {
  std::vector<std::string> names;
  for (const KindReport& report : reports)
    if (std::ranges::find(report.kind.nodes, node.name) != report.kind.nodes.end())
      names.push_back(report.kind.spec.name);
  return names;
}

void print_nodes(const std::vector<SlurmNode>& nodes, const std::vector<KindReport>& reports) {
  std::vector<std::vector<std::string>> rows{{"node", "state", "features", "GRES", "kinds"}};
  for (const SlurmNode& node : nodes) {
    std::vector<std::string> gres;
    for (const auto& [name, count] : node.gres) gres.push_back(fmt::format("{}:{}", name, count));
    rows.push_back({node.name, node.state, fmt::format("{}", fmt::join(node.features, ",")),
                    fmt::format("{}", fmt::join(gres, ",")),
                    fmt::format("{}", fmt::join(kinds_of(node, reports), ", "))});
  }
  print_table(rows);
}

Json kinds_json(const std::vector<KindReport>& reports) {
  Json list = Json::array();
  for (const KindReport& report : reports)
    list.push_back({{"kind", report.kind.spec.name},
                    {"devices", report.kind.count},
                    {"nodes", report.kind.nodes},
                    {"rig", report.kind.spec.rig},
                    {"profile", report.profile ? Json(report.profile->id) : Json(nullptr)},
                    {"profiles", report.profiles},
                    {"device", report.profile ? Json(report.profile->device.name) : Json(nullptr)},
                    {"source", report.profile ? Json(to_string(report.profile->device.source))
                                              : Json(nullptr)},
                    {"age_s", or_null(age_s(report))},
                    {"energy_drift", or_null(report.drift.energy())},
                    {"compared_jobs", report.drift.jobs},
                    {"compared_checks", report.drift.checks}});
  return list;
}

Json nodes_json(const std::vector<SlurmNode>& nodes, const std::vector<KindReport>& reports) {
  Json list = Json::array();
  for (const SlurmNode& node : nodes)
    list.push_back({{"node", node.name},
                    {"state", node.state},
                    {"usable", node.usable()},
                    {"features", node.features},
                    {"gres", node.gres},
                    {"kinds", kinds_of(node, reports)}});
  return list;
}

void devices(const FleetOptions& options) {
  const FleetFile fleet = load_fleet(options);
  const auto nodes = nodes_of_slurm();
  const auto reports = kind_reports(
      nodes ? kinds_now(fleet, std::span<const SlurmNode>(*nodes)) : kinds_now(fleet, std::nullopt),
      options.store);
  if (options.json) {
    Json json{{"kinds", kinds_json(reports)},
              {"nodes", nodes ? nodes_json(*nodes, reports) : Json(nullptr)}};
    fmt::print("{}\n", json_text(json));
    return;
  }
  print_kinds(reports);
  fmt::print("\n");
  if (nodes)
    print_nodes(*nodes, reports);
  else
    fmt::print("Slurm is not installed here; the counts are those of {}\n", fleet.path);
}

}  // namespace

void add_fleet_devices(CLI::App& fleet, const Settings& settings) {
  auto options = std::make_shared<FleetOptions>();
  CLI::App* command = fleet.add_subcommand("devices",
                                           "Lists the kinds of devices and their nodes: which have "
                                           "a profile, how old it is, and how far "
                                           "measured energy has drifted from it");
  add_fleet_file_option(*command, *options);
  add_fleet_common(*command, *options, settings);
  add_wide_flag(*command);
  add_example(*command, "ampere fleet devices --fleet fleet.toml");
  command->callback([options] { devices(*options); });
}

}  // namespace ampere
