#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/read_file.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "commands.h"
#include "delegates.h"
#include "front_door.h"
#include "options.h"
#include "score_output.h"
#include "terminal.h"

namespace ampere {
namespace {

struct ScoreArguments {
  std::vector<std::string> models, delegates;
  std::string name, reference, import_file, columns, energy_source, export_file, store;
  ModelSource source;
  RigSelection rig;
  MeasuringOptions measuring;
  std::string precision = "fp32";
  bool list = false, explain = false, afresh = false, mixed = false, json = false;

  bool measures() const { return !list && import_file.empty() && export_file.empty(); }
};

std::vector<Model> networks_of(const ScoreArguments& options) {
  std::vector<Model> networks;
  for (const std::string& spec : options.models.empty() ? reference_networks() : options.models) {
    Model network = options.source.open(spec);
    if (std::ranges::find(networks, network.name(), &Model::name) != networks.end())
      throw Error(ErrorCode::usage,
                  fmt::format("{}: there are two networks called {}", spec, network.name()));
    networks.push_back(std::move(network));
  }
  return networks;
}

// Before minutes of measuring rather than after them.
void check_reference(const ScoreArguments& options, const std::string& device,
                     const Session& session) {
  std::vector<ScoreCell> known = session.score_cells();
  known.push_back({device, "", "", {}, {}, {}});
  score_devices(known, {.reference = options.reference});
}

void measure_all(const ScoreArguments& options, Session& session, ScoreReport& report) {
  ScoreTask task{options.name, "", networks_of(options), options.measuring.precision(),
                 options.afresh};
  const std::vector<Delegate> delegates = delegates_of(options.rig, options.delegates);
  if (delegates.size() > 1 && !options.rig.record.empty())
    throw Error(ErrorCode::usage,
                "--record: a recording is of one delegate; choose it with --delegates");
  std::map<std::string, std::string> seen;  // delegates by fingerprint
  for (const Delegate& delegate : delegates) {
    RigSelection selection = options.rig;
    selection.rig = delegate.rig;
    const auto rig = selection.open();
    if (task.device.empty())
      task.device = machine_name(options.rig, delegate, rig->device(), session);
    check_reference(options, task.device, session);
    task.delegate = delegate.name;
    if (const auto [same, is_new] = seen.emplace(rig->device().fingerprint, delegate.name); !is_new)
      fmt::print(stderr, "ampere: note: {} is {} here ({}): they have the same cells\n",
                 delegate.name, same->second, rig->device().framework);
    report.measured += session.score(task, {*rig, delegate.rig});
  }
  report.device = task.device;
}

void import_all(const ScoreArguments& options, Session& session) {
  std::optional<Source> source;
  if (!options.energy_source.empty()) source = parse_source(options.energy_source);
  const std::vector<ScoreCell> cells = parse_score_table(
      read_file(options.import_file, kLargestTable), options.import_file, options.columns, source);
  if (cells.empty())
    throw Error(ErrorCode::usage, fmt::format("{}: has no cells", options.import_file));
  session.keep_cells(cells);
  fmt::print(stderr, "ampere: {}: the store now has {} of it\n", options.import_file,
             counted(std::ssize(cells), "cell"));
}

std::vector<std::string> to_explain(const ScoreArguments& options, const ScoreReport& report) {
  if (!options.explain) return {};
  if (!options.name.empty()) return {options.name};
  if (!report.device.empty()) return {report.device};
  std::vector<std::string> devices;
  for (const ScoreCell& cell : report.cells)
    if (std::ranges::find(devices, cell.device) == devices.end()) devices.push_back(cell.device);
  return devices;
}

void check(const ScoreArguments& options) {
  if (!options.columns.empty() && options.import_file.empty())
    throw Error(ErrorCode::usage,
                "--columns names the columns of the file that --import reads; add --import");
  if (!options.energy_source.empty() && options.import_file.empty())
    throw Error(ErrorCode::usage,
                "--source says how the costs in the file that --import reads were found; add "
                "--import");
  if (!options.measures() && !options.models.empty())
    throw Error(ErrorCode::usage,
                "--list, --import and --output measure nothing; leave out MODEL (the output of an "
                "ONNX file is chosen with --onnx-output)");
}

void score_all(const ScoreArguments& options) {
  check(options);
  const bool writes = options.measures() || !options.import_file.empty();
  TerminalListener listener;
  Session session = open_session(options.store, writes ? Access::write : Access::read, &listener);
  ScoreReport report;
  if (!options.import_file.empty()) import_all(options, session);
  if (options.measures()) measure_all(options, session, report);
  listener.finish();
  report.cells = session.score_cells();
  if (report.cells.empty()) {
    if (options.explain) {
      fmt::print("{}", score_formula());
      return;
    }
    throw Error(
        ErrorCode::unknown,
        "no device in this store has a score; run `ampere score`, or import the cells of other "
        "devices with `ampere score --import FILE.csv`");
  }
  report.options.reference = options.reference;
  report.options.mixed = options.mixed;
  report.explain = to_explain(options, report);
  if (!options.export_file.empty())
    write_whole_file(options.export_file, export_score_table(report.cells));
  if (options.json)
    fmt::print("{}\n", json_text(score_json(report)));
  else
    print_scores(report);
}

}  // namespace

void add_score(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<ScoreArguments>();
  CLI::App* command = app.add_subcommand(
      "score",
      "Scores the inference of this device against others: by energy (IECS) and by power (PCS)");
  command->add_option("MODEL", options->models,
                      "Networks to run (default: the nine families of DeepEn2023)");
  add_onnx_options(*command, options->source, OutputIsFile::yes);
  command
      ->add_option(
          "--delegates", options->delegates,
          "How to run them: CPU1 (one thread), CPU (all threads) or GPU, separated by commas "
          "(default: all available); for a rig other than local, the name of its only delegate")
      ->delimiter(',');
  command->add_option("--name", options->name,
                      "Name of this machine (default: the name of its processor)");
  command->add_option("--reference", options->reference,
                      "Device whose score is 100 (default: the first one in the store)");
  command->add_flag("--list", options->list, "Measure nothing; compare the devices in the store");
  command->add_flag("--explain", options->explain,
                    "Also print the formula and each score's calculation");
  command->add_flag("--mix", options->mixed,
                    "Compare measured energy with modelled and simulated energy too");
  command->add_option("--import", options->import_file,
                      "Add the cells of other devices from this CSV file");
  command->add_option("--columns", options->columns,
                      "Names of the columns in that file, as in energy_j=E,power_w=P");
  command
      ->add_option("--source", options->energy_source,
                   "How the costs in that file were found, where it does not say: measured, "
                   "modelled or simulated")
      ->check(CLI::IsMember({"measured", "modelled", "simulated"}));
  add_hidden_alias(
      *command,
      command->add_option("-o,--output", options->export_file,
                          "CSV file to write all cells in the store to; measures nothing"),
      "--export");
  command->add_flag("--afresh", options->afresh, "Measure again what was measured before");
  add_rig_options(*command, options->rig, settings);
  add_fp32_option(*command, options->precision);
  add_measuring_options(*command, options->measuring);
  add_store_option(*command, options->store, settings);
  add_json_flag(*command, options->json);
  add_example(*command, "ampere score --rig sim:xavier --delegates GPU");
  command->callback([options] { score_all(*options); });
}

}  // namespace ampere
