#include "fleet_options.h"

#include <fmt/format.h>

#include <map>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "fleet/kind_table.h"
#include "interrupt.h"
#include "ranges.h"
#include "toml_file.h"

namespace ampere {

void add_fleet_file_option(CLI::App& command, FleetOptions& options) {
  command.add_option("--fleet", options.fleet, "File that lists the kinds of devices")
      ->capture_default_str();
}

void add_fleet_common(CLI::App& command, FleetOptions& options, const Settings& settings) {
  add_store_option(command, options.store, settings);
  command.get_option("--store")->description(
      "Where profiles, jobs and accounts are kept: postgresql://HOST/DATABASE, or sqlite:FILE on a "
      "single machine");
  add_json_flag(command, options.json);
}

void add_silence_option(CLI::App& command, FleetOptions& options) {
  command
      .add_option("--silence", options.silence_s,
                  "Seconds without a report after which a running job that Slurm no longer has "
                  "counts as lost")
      ->check(number_from_to(0, kMostSeconds))
      ->capture_default_str();
}

FleetFile load_fleet(const FleetOptions& options) {
  return read_fleet_file(load_toml(options.fleet), options.fleet);
}

JobFile load_jobs(const std::string& path, std::chrono::sys_seconds now) {
  return read_job_file(load_toml(path), path, now);
}

std::chrono::sys_seconds utc_seconds_now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

std::shared_ptr<SqlDatabase> open_fleet_database(const std::string& store, Access access) {
  const auto tell = [](const std::string& message) {
    fmt::print(stderr, "ampere: {}\n", plain_lines(message));
  };
  if (!is_database_url(store))
    throw Error(
        ErrorCode::usage,
        fmt::format("--store: a fleet is kept in postgresql:// or sqlite:, not in {}", store));
  return open_database(store, access, {stop_token(), tell});
}

DeviceOfKind known_devices(const std::string& store) try {
  if (!is_database_url(store)) return {};
  return KindTable(open_fleet_database(store, Access::read)).devices();
} catch (const Error& error) {
  if (error.code() != ErrorCode::unknown) throw;
  return {};
}

Slurm open_slurm() { return Slurm(stop_token()); }

std::optional<std::vector<SlurmNode>> nodes_of_slurm() {
  if (!has_slurm()) return std::nullopt;
  return open_slurm().nodes();
}

std::vector<KindNow> current_kinds(const FleetFile& fleet) {
  const auto nodes = nodes_of_slurm();
  if (!nodes) return kinds_now(fleet, std::nullopt);
  return kinds_now(fleet, std::span<const SlurmNode>(*nodes));
}

OpenModel model_opener() {
  auto known = std::make_shared<std::map<std::string, Model>>();
  return [known](const std::string& spec) -> Model {
    const auto found = known->find(spec);
    if (found != known->end()) return found->second;
    return known->emplace(spec, ModelSource{}.open(spec)).first->second;
  };
}

std::string list_name(const std::string& text) {
  // Whoever asks for the name does not mind that a deadline in the file has passed.
  return text.ends_with(".toml") ? load_jobs(text, {}).name : text;
}

}  // namespace ampere
