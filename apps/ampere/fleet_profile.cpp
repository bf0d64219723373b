// `ampere fleet profile`: one job of Slurm per kind of device, each into the shared store; and
// `ampere fleet measure`, which is what runs on the node.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "fleet/kind_table.h"
#include "fleet/script.h"
#include "fleet/submit.h"
#include "fleet_options.h"
#include "fleet_verbs.h"
#include "front_door.h"
#include "interrupt.h"
#include "profile_options.h"
#include "ranges.h"
#include "terminal.h"

namespace ampere {
namespace {

struct FleetProfileArguments {
  FleetOptions where;
  std::vector<std::string> models, on;
  std::string batch, optimizer, precision;  // as typed, to hand on
  SetupOptions setup;
  std::int64_t minutes = 60;
  bool wait = false;
  std::string kind, rig, meter;  // of the node's part
};

std::string profile_job_name(const KindSpec& kind) {
  return fmt::format("{}profile-{}", kSlurmPrefix, kind.name);
}

// Whether the store already says what all these networks cost on this kind.
bool is_known(const Session& session, const KindSpec& kind, const DeviceOfKind& devices,
              const std::vector<Model>& models, const Setup& setup) {
  const auto query = profile_query(kind, devices, setup);
  if (!query) return false;
  return std::ranges::all_of(models, [&](const Model& model) {
    try {
      const Estimate estimate = session.estimate(model, *query, {}).estimate;
      return estimate.uncovered.empty() && estimate.energy_j && estimate.time_s;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unknown) throw;
      return false;
    }
  });
}

// By name or by feature.
std::vector<KindSpec> chosen_kinds(const FleetFile& fleet, const std::vector<std::string>& on) {
  if (on.empty()) return fleet.kinds;
  std::vector<KindSpec> chosen;
  for (const std::string& name : on) {
    const auto by_feature = std::ranges::find(fleet.kinds, name, &KindSpec::constraint);
    chosen.push_back(by_feature != fleet.kinds.end() ? *by_feature : fleet.kind(name));
  }
  return chosen;
}

std::vector<std::string> node_command(const FleetProfileArguments& options, const KindSpec& kind,
                                      const std::string& program) {
  std::vector<std::string> command{program, "fleet", "measure"};
  command.insert(command.end(), options.models.begin(), options.models.end());
  for (const auto& [option, value] : std::initializer_list<std::pair<const char*, std::string>>{
           {"--kind", kind.name},
           {"--rig", kind.rig},
           {"--meter", kind.meter},
           {"--batch", std::to_string(options.setup.batch)},
           {"--optimizer", options.setup.optimizer},
           {"--precision", options.setup.precision}})
    if (!value.empty()) {
      command.emplace_back(option);
      command.push_back(value);
    }
  return command;
}

SlurmRequest request_for(const FleetProfileArguments& options, const FleetFile& fleet,
                         const KindSpec& kind) {
  namespace fs = std::filesystem;
  const std::string program =
      fleet.program.empty() ? fs::read_symlink("/proc/self/exe").string() : fleet.program;
  const fs::path beside = fs::absolute(fs::path(options.where.fleet)).parent_path();
  const fs::path logs = fleet.logs.empty() ? beside / "ampere-logs" : beside / fleet.logs;
  fs::create_directories(logs);
  SlurmRequest request;
  request.name = profile_job_name(kind);
  request.script = job_script(options.where.store, node_command(options, kind, program));
  request.constraint = kind.constraint;
  request.gres = kind.gres;
  request.minutes = options.minutes;
  request.output = (logs / fmt::format("profile-{}.log", kind.name)).string();
  return request;
}

void wait_for(const std::vector<std::string>& names, const Slurm& slurm) {
  ProgressLine line;
  while (true) {
    std::vector<std::string> left;
    for (const SlurmJob& job : slurm.jobs(kSlurmPrefix))
      if (std::ranges::find(names, job.name) != names.end())
        left.push_back(fmt::format("{} ({})", job.name, job.state));
    if (left.empty()) return;
    line.show(fmt::format("waiting for {}", fmt::join(left, ", ")));
    stop_token().throw_if_stopped();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
}

enum class Outcome { known, waiting, submitted };
struct KindOutcome {
  KindSpec kind;
  Outcome outcome;
  std::string slurm_id;
};

const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::known:
      return "known already";
    case Outcome::waiting:
      return "submitted before";
    case Outcome::submitted:
      return "submitted";
  }
  return "?";
}

KindOutcome profile_kind(const FleetProfileArguments& options, const FleetFile& fleet,
                         const KindSpec& kind, const std::vector<Model>& models,
                         const Slurm& slurm) {
  const Session session = open_preview_session(options.where.store);
  if (is_known(session, kind, known_devices(options.where.store), models, options.setup.setup()))
    return {kind, Outcome::known, ""};
  for (const SlurmJob& job : slurm.jobs(kSlurmPrefix))
    if (job.name == profile_job_name(kind)) return {kind, Outcome::waiting, job.id};
  return {kind, Outcome::submitted, slurm.submit(request_for(options, fleet, kind))};
}

// After the jobs have ended: what is still not known failed.
void require_known(const FleetProfileArguments& options, const FleetFile& fleet,
                   const std::vector<KindOutcome>& outcomes, const std::vector<Model>& models) {
  const Session session = open_preview_session(options.where.store);
  const DeviceOfKind devices = known_devices(options.where.store);
  std::vector<std::string> failed;
  for (const KindOutcome& each : outcomes)
    if (!is_known(session, each.kind, devices, models, options.setup.setup()))
      failed.push_back(fmt::format("{} (its log is {})", each.kind.name,
                                   request_for(options, fleet, each.kind).output));
  if (!failed.empty())
    throw Error(ErrorCode::failed,
                fmt::format("these kinds could not be profiled: {}", fmt::join(failed, ", ")));
}

void profile(const FleetProfileArguments& options) {
  require_no_password(options.where.store);  // also where all is known and no script is written
  const FleetFile fleet = load_fleet(options.where);
  std::vector<Model> models;
  const OpenModel open = model_opener();
  for (const std::string& spec : options.models) models.push_back(open(spec));
  current_kinds(fleet);  // complains about a feature that no node has
  const Slurm slurm = open_slurm();
  std::vector<KindOutcome> outcomes;
  std::vector<std::string> names;
  for (const KindSpec& kind : chosen_kinds(fleet, options.on)) {
    outcomes.push_back(profile_kind(options, fleet, kind, models, slurm));
    if (outcomes.back().outcome != Outcome::known) names.push_back(profile_job_name(kind));
    if (!options.where.json) fmt::print("{}: {}\n", kind.name, to_string(outcomes.back().outcome));
  }
  if (options.wait) {
    wait_for(names, slurm);
    require_known(options, fleet, outcomes, models);
  }
  if (!options.where.json) return;
  Json list = Json::array();
  for (const KindOutcome& each : outcomes)
    list.push_back({{"kind", each.kind.name},
                    {"outcome", to_string(each.outcome)},
                    {"slurm_id", each.slurm_id}});
  fmt::print("{}\n", json_text(list));
}

// On the node.
void measure(const FleetProfileArguments& options) {
  RigSelection selection;
  selection.rig = options.rig;
  selection.meter = options.meter;
  const auto rig = selection.open();
  TerminalListener listener;
  Session session = open_session(options.where.store, Access::write, &listener);
  ProfileRequest request{{}, options.setup.setup(), "", profile_options(MeasuringOptions{})};
  for (const std::string& spec : options.models) request.models.push_back(ModelSource{}.open(spec));
  const ProfileSummary summary = session.profile(request, {*rig, options.rig});
  listener.finish();
  print_warnings(summary.warnings);
  const DeviceInfo& device = rig->device();
  const char* node = std::getenv("SLURMD_NODENAME");
  KindTable(open_fleet_database(options.where.store, Access::write))
      .put({options.kind, device.fingerprint, device.name, node == nullptr ? "" : node,
            options.rig});
  fmt::print("profile {} of {} ({}): {} measured, {} known before\n", summary.profile, device.name,
             to_string(device.source), counted(summary.measured, "network"), summary.known);
}

void add_models_and_setup(CLI::App& command, FleetProfileArguments& options,
                          const Settings& settings) {
  command.add_option("MODEL", options.models, model_help())->required();
  options.setup.batch = settings.batch;
  options.setup.optimizer = settings.optimizer;
  command.add_option("--batch", options.setup.batch, "Samples per batch")
      ->check(whole_from_to(1, kLargestBatch))
      ->capture_default_str();
  command
      .add_option("--optimizer", options.setup.optimizer,
                  "sgd (with momentum 0.9), plain-sgd (without), adam or adamw")
      ->capture_default_str();
  command
      .add_option("--precision", options.setup.precision, "Number format: fp32, tf32, bf16 or fp16")
      ->capture_default_str();
}

void add_measure_on_node(CLI::App& fleet, const Settings& settings) {
  auto options = std::make_shared<FleetProfileArguments>();
  CLI::App* command =
      fleet.add_subcommand("measure", "Profiles the device of this node; Slurm calls this");
  command->group("");  // not in the help
  add_models_and_setup(*command, *options, settings);
  command->add_option("--kind", options->kind, "The kind of device")->required();
  command->add_option("--rig", options->rig, "Where to measure")->required();
  command->add_option("--meter", options->meter, "Energy meter");
  add_store_option(*command, options->where.store, settings);
  command->callback([options] { measure(*options); });
}

}  // namespace

void add_fleet_profile(CLI::App& fleet, const Settings& settings) {
  auto options = std::make_shared<FleetProfileArguments>();
  CLI::App* command = fleet.add_subcommand(
      "profile",
      "Profiles one device of each kind for these networks, each as a job of Slurm; what is known "
      "is not measured again");
  add_models_and_setup(*command, *options, settings);
  command->add_option("--on", options->on, "Kinds or features to profile (default: all)");
  command->add_option("--job-minutes", options->minutes, "Minutes after which Slurm ends a job")
      ->check(whole_from_to(1, 100000))
      ->capture_default_str();
  command->add_flag("--wait", options->wait, "Return when all jobs have ended");
  add_fleet_file_option(*command, options->where);
  add_fleet_common(*command, options->where, settings);
  add_example(*command, "ampere fleet profile cnn5 --on xavier --wait");
  command->callback([options] { profile(*options); });
  add_measure_on_node(fleet, settings);
}

}  // namespace ampere
