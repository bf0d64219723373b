#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/read_file.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "commands.h"
#include "front_door.h"
#include "options.h"
#include "print.h"
#include "report/estimate_json.h"
#include "report/profile_json.h"

namespace ampere {
namespace {

struct ProfilesArguments {
  std::string store, id, file;
  bool json = false, all = false, shipped = false;
};

// Profiles of a pass or a block alone serve the one of whole iterations.
bool is_internal(const ProfileRow& row) {
  return row.setup.phase != Phase::iteration && row.setup.phase != Phase::inference;
}

// A terminal has room for what one chooses a profile by.
std::vector<std::string> headings() {
  if (!shows_everything())
    return {"id", "device", "setup", "source", "methods", "points", "updated"};
  return {"id",      "device", "setup",  "framework", "meter", "source",
          "methods", "kinds",  "points", "failed",    "tests", "updated"};
}

std::string points_text(const ProfileRow& row, const std::optional<GeneralCounts>& general) {
  if (!general) return std::to_string(row.observations - row.failures);
  return fmt::format("{}, {}", counted(general->windows, "window"),
                     counted(general->operations, "operation"));
}

std::vector<std::string> cells(const ProfileRow& row, const std::vector<std::string>& methods,
                               const std::optional<GeneralCounts>& general) {
  const std::string id = profile_name(row), setup = to_string(row.setup);
  const std::string source = to_string(row.device.source);
  const std::string by = fmt::format("{}", fmt::join(methods, ", "));
  const std::string points = points_text(row, general);
  if (!shows_everything())
    return {id, row.device.name, setup, source, by, points, row.updated_at.substr(0, 10)};
  return {id,
          row.device.name,
          setup,
          row.device.framework,
          row.device.meter,
          source,
          by,
          std::to_string(row.kinds),
          points,
          std::to_string(row.failures),
          std::to_string(row.tests),
          row.updated_at};
}

void list(const ProfilesArguments& options) {
  const Session session = options.shipped ? open_preview_session(options.store)
                                          : open_session(options.store, Access::read);
  std::vector<std::vector<std::string>> rows{headings()};
  std::vector<ProfileRow> profiles = session.store().profiles();
  if (options.shipped) std::ranges::copy(session.shipped_profiles(), std::back_inserter(profiles));
  for (const ProfileRow& row : profiles) {
    if (is_internal(row) && !options.all) continue;
    const std::vector<std::string> methods = session.methods_of(row);
    const std::optional<GeneralCounts> general = session.general_counts(row);
    if (options.json)
      fmt::print("{}\n", json_text(profile_json(row, methods, general)));
    else
      rows.push_back(cells(row, methods, general));
  }
  if (!options.json) print_table(rows);
}

void export_one(const ProfilesArguments& options) {
  const Session session = open_session(options.store, Access::read);
  const std::string document = export_profile(session.store(), session.find_profile(options.id).id);
  if (options.file.empty()) {
    fmt::print("{}\n", document);
    return;
  }
  write_whole_file(options.file, document + "\n");
}

void import_one(const ProfilesArguments& options) {
  const std::string text = read_file(options.file, kLargestProfile);
  Session session = open_session(options.store, Access::write);
  fmt::print("profile {}\n", import_profile(session.store(), text, options.file));
}

void add_general(const ProfilesArguments& options) {
  const std::string text = read_file(options.file, kLargestProfile);
  Session session = open_session(options.store, Access::write);
  fmt::print("profile {}\n", session.keep_general(text, options.file));
}

void save_general(const ProfilesArguments& options) {
  const Session session = open_session(options.store, Access::read);
  write_whole_file(options.file, session.general_document(session.find_profile(options.id)) + "\n");
}

void remove_one(const ProfilesArguments& options) {
  Session session = open_session(options.store, Access::write);
  session.store().remove_profile(session.find_profile(options.id).id);
}

Json point_json(const KindPoints& kind, const KindPoint& point) {
  Json features = Json::object();
  for (std::size_t i = 0; i < point.features.size(); ++i)
    features[kind.feature_names[i]] = point.features[i];
  return {{"kind", kind.title},
          {"key", kind.kind},
          {"role", to_string(kind.role)},
          {"features", std::move(features)},
          {"training_flops", point.training_flops},
          {"energy_j_per_iteration", {{"mean", point.energy_j}, {"stddev", point.energy_sd}}},
          {"time_s_per_iteration", {{"mean", point.time_s}, {"stddev", point.time_sd}}}};
}

void list_points(const ProfilesArguments& options) {
  const Session session = open_session(options.store, Access::read);
  std::vector<std::vector<std::string>> rows{{"kind", "role", "at", "FLOPs", "energy", "time"}};
  for (const KindPoints& kind : session.kind_points(session.find_profile(options.id)))
    for (const KindPoint& point : kind.points) {
      if (options.json)
        fmt::print("{}\n", json_text(point_json(kind, point)));
      else
        rows.push_back({kind.title, to_string(kind.role),
                        feature_text(kind.feature_names, point.features),
                        large_count(static_cast<double>(point.training_flops)),
                        with_unit(point.energy_j, "J"), with_unit(point.time_s, "s")});
    }
  if (!options.json) print_table(rows);
}

}  // namespace

void add_profiles(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<ProfilesArguments>();
  CLI::App* command = app.add_subcommand(
      "profiles", "Lists the profiles in the store: device, framework, meter, kinds, points, date");
  add_store_option(*command, options->store, settings);
  add_json_flag(*command, options->json);
  command->add_flag("--all", options->all,
                    "Also list profiles of single passes, which others are based on");
  command->add_flag("--shipped", options->shipped,
                    "Also list the profiles that came with the program");
  add_wide_flag(*command);
  add_example(*command,
              "ampere profiles\n  ampere profiles export 1 --output xavier.json\n  ampere profiles "
              "import xavier.json");
  command->require_subcommand(0, 1);

  CLI::App* exporting =
      command->add_subcommand("export", "Writes a profile as JSON that another machine can import");
  exporting->add_option("ID", options->id, "Id of the profile")->required();
  exporting->add_option("-o,--output", options->file, "File to write (default: standard output)");
  add_store_option(*exporting, options->store, settings);
  add_example(*exporting, "ampere profiles export 1 --output xavier.json");
  CLI::App* importing = command->add_subcommand("import", "Adds an exported profile to the store");
  importing->add_option("FILE", options->file, "File with the exported profile")->required();
  add_store_option(*importing, options->store, settings);
  add_example(*importing, "ampere profiles import xavier.json");
  CLI::App* adding =
      command->add_subcommand("add", "Adds a general profile, as `save` writes it, to the store");
  adding->add_option("FILE", options->file, "File with the general profile (.json or .json.gz)")
      ->required();
  add_store_option(*adding, options->store, settings);
  add_example(*adding, "ampere profiles add h200.json");
  CLI::App* saving = command->add_subcommand(
      "save", "Writes a general profile alone, without the measurements it rests on");
  saving->add_option("ID", options->id, "Id of the profile")->required();
  saving->add_option("-o,--output", options->file, "File to write")->required();
  add_store_option(*saving, options->store, settings);
  add_example(*saving, "ampere profiles save 1 --output h200.json");
  CLI::App* removing =
      command->add_subcommand("remove", "Deletes a profile and all its measurements");
  removing->add_option("ID", options->id, "Id of the profile")->required();
  add_store_option(*removing, options->store, settings);
  add_example(*removing, "ampere profiles remove 1");

  CLI::App* points = command->add_subcommand(
      "points", "Lists what each block kind of a profile costs, point by point");
  points->add_option("ID", options->id, "Id of the profile")->required();
  add_store_option(*points, options->store, settings);
  add_json_flag(*points, options->json);
  add_example(*points, "ampere profiles points 1 --json");

  command->callback([=] {
    if (points->parsed()) return list_points(*options);
    if (exporting->parsed()) return export_one(*options);
    if (importing->parsed()) return import_one(*options);
    if (adding->parsed()) return add_general(*options);
    if (saving->parsed()) return save_general(*options);
    if (removing->parsed()) return remove_one(*options);
    list(*options);
  });
}

}  // namespace ampere
