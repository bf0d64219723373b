#include "kernels_verbs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/read_file.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "front_door.h"
#include "kernels_output.h"
#include "kernels_predict.h"
#include "print.h"
#include "record/record_json.h"
#include "terminal.h"

namespace ampere {
namespace {

std::vector<PredictorKind> predictors(const std::string& names) {
  if (names == "both") return {PredictorKind::gp, PredictorKind::forest};
  return {parse_predictor_kind(names)};
}

void preview(const KernelsOptions& options, const SurveyRequest& request) {
  const auto rig = options.rig.open();
  const SurveyPlan plan = open_preview_session(options.store).preview(request, *rig);
  const double each = request.options.precision.time_limit.count();
  if (options.json)
    fmt::print("{}\n", json_text(plan_json(plan, rig->device(), each)));
  else
    print_plan(plan, rig->device(), each);
}

constexpr TableLevel kLevels[] = {TableLevel::kernel, TableLevel::model, TableLevel::application};
constexpr const char* kAllLevels = "all";

// Reports every bad row on standard error, with its line, and gives the good ones, one table per
// level of the file.
std::vector<EnergyTable> read_tables(const KernelsOptions& options, const std::string& path,
                                     Json* summary = nullptr) {
  ImportOptions importing = options.import;
  if (!options.energy_source.empty()) importing.source = parse_source(options.energy_source);
  std::vector<EnergyTable> tables;
  std::size_t rows = 0;
  Json bad = Json::array(), notes = Json::array(), levels = Json::object();
  for (TableImport& imported : import_tables(read_file(path, kLargestTable), path, importing)) {
    for (const BadRow& row : imported.bad) {
      fmt::print(stderr, "{}: line {}: {}\n", path, row.line, row.reason);
      bad.push_back({{"line", row.line}, {"reason", row.reason}});
    }
    for (const std::string& note : imported.notes) {
      fmt::print(stderr, "ampere: note: {}: {}\n", path, note);
      notes.push_back(note);
    }
    if (imported.data.rows.empty()) continue;
    rows += imported.data.rows.size();
    levels[to_string(imported.data.level)] = imported.data.rows.size();
    tables.push_back(std::move(imported.data));
  }
  if (rows == 0 || (options.strict && !bad.empty()))
    throw Error(ErrorCode::usage,
                fmt::format("{}: {} of {} rows are bad{}", path, bad.size(), bad.size() + rows,
                            options.strict ? ", and --strict accepts all rows or none" : ""));
  if (summary != nullptr)
    *summary = {{"rows", rows},
                {"level", tables.size() == 1 ? to_string(tables.front().level) : kAllLevels},
                {"levels", std::move(levels)},
                {"bad", std::move(bad)},
                {"notes", std::move(notes)}};
  return tables;
}

// What predictors are fitted to: the kernels of a file that has other levels too.
EnergyTable read_kernels(const KernelsOptions& options, const std::string& path) {
  std::vector<EnergyTable> tables = read_tables(options, path);
  const auto kernels = std::ranges::find(tables, TableLevel::kernel, &EnergyTable::level);
  return std::move(kernels == tables.end() ? tables.front() : *kernels);
}

std::vector<TableLevel> parse_levels(const std::string& text) {
  if (text == kAllLevels) return {std::begin(kLevels), std::end(kLevels)};
  if (const auto level = find_table_level(text)) return {*level};
  throw Error(ErrorCode::usage,
              fmt::format("--level: '{}' is none of kernel, model, application and all", text));
}

}  // namespace

SurveyRequest KernelsOptions::survey() const {
  if (configurations < 1 || configurations > 100000)
    throw Error(ErrorCode::usage,
                fmt::format("--configurations: {} is not between 1 and 100000", configurations));
  if (batch < 1) throw Error(ErrorCode::usage, fmt::format("--batch: {} is not positive", batch));
  if (!(tolerance >= 0))
    throw Error(ErrorCode::usage, fmt::format("--tolerance: {} is negative", tolerance));
  if (!(time_limit >= 0))
    throw Error(ErrorCode::usage, fmt::format("--time-limit: {} is negative", time_limit));
  SurveyRequest request{.networks = {}, .setup = inference_setup(batch)};
  request.options.configurations = configurations;
  request.options.tolerance = tolerance;
  request.options.seed = static_cast<unsigned>(rig.seed);
  request.options.precision = measuring.precision(request.options.precision);
  if (time_limit > 0) request.time_limit = Seconds(time_limit);
  for (const std::string& spec : models.empty() ? reference_networks() : models)
    request.networks.push_back(source.open(spec));
  return request;
}

ProfileRow KernelsOptions::chosen(const Session& session) const {
  return session.choose({.setup = inference_setup(), .any_batch = true, .profile = profile}).row;
}

void measure_kernels(const KernelsOptions& options) {
  const SurveyRequest request = options.survey();
  if (options.dry_run) return preview(options, request);
  TerminalListener listener;
  Session session = open_session(options.store, Access::write, &listener);
  const auto rig = options.rig.open();
  const SurveySummary summary = session.kernels(request, {*rig, options.rig.rig});
  listener.finish();
  print_warnings(summary.warnings);
  if (options.json)
    fmt::print("{}\n", json_text(survey_json(summary, rig->device())));
  else
    print_survey(summary, rig->device());
}

void fit_predictors(const KernelsOptions& options) {
  const std::vector<PredictorKind> kinds = predictors(options.predictor);
  if (options.folds < 0 || options.folds == 1)
    throw Error(ErrorCode::usage, "--cv: two folds at least, or 0 for none");
  std::vector<FittedKernels> fitted;
  std::optional<KernelComposition> composition;
  Json id = nullptr;
  if (options.table.empty()) {
    Session session = open_session(options.store, Access::write);
    const ProfileRow profile = options.chosen(session);
    Session::Refitted refitted = session.fit_kernels(profile, kinds, options.folds);
    fitted = std::move(refitted.fitted);
    composition = refitted.composition;
    id = std::to_string(profile.id);
  } else {
    const EnergyTable table = read_kernels(options, options.table);
    for (const PredictorKind kind : kinds)
      fitted.push_back(try_predictors(table, kind, options.folds));
  }
  if (!options.json) {
    print_fittings(fitted);
    return print_composition(composition);
  }
  Json json = fittings_json(fitted);
  json["composition"] = composition_json(composition);
  json["profile"] = std::move(id);
  fmt::print("{}\n", json_text(json));
}

void import_kernels(const KernelsOptions& options) {
  Json summary;
  const std::vector<EnergyTable> tables = read_tables(options, options.file, &summary);
  Session session = open_session(options.store, Access::write);
  std::vector<std::string> profiles;
  for (const EnergyTable& table : tables)
    for (const std::int64_t profile : session.keep_kernels(table, options.device))
      if (const std::string id = std::to_string(profile);
          std::ranges::find(profiles, id) == profiles.end())
        profiles.push_back(id);
  if (options.json) {
    summary["profiles"] = profiles;
    fmt::print("{}\n", json_text(summary));
    return;
  }
  fmt::print("profile {}: {} added, {} left out\n", fmt::join(profiles, ", "),
             counted(summary.at("rows").get<std::int64_t>(), "row"),
             counted(static_cast<std::int64_t>(summary.at("bad").size()), "bad row"));
}

void export_kernels(const KernelsOptions& options) {
  const std::vector<TableLevel> levels = parse_levels(options.level);
  const Session session = open_surveyed_session(options.store);
  const ProfileRow profile = options.chosen(session);
  std::vector<EnergyTable> tables;
  for (const TableLevel level : levels)
    if (EnergyTable table = session.kernel_table(profile, level); !table.rows.empty())
      tables.push_back(std::move(table));
  if (tables.empty())
    throw Error(ErrorCode::unknown,
                fmt::format("profile {} has nothing of the level {}", profile.id, options.level));
  const std::string csv =
      options.level == kAllLevels ? export_tables(tables) : export_table(tables.front());
  if (options.file.empty())
    fmt::print("{}", csv);
  else
    write_whole_file(options.file, csv);
}

void predict_kernels(const KernelsOptions& options) {
  const PredictorKind kind = parse_predictor_kind(options.predictor);
  const Session session = open_surveyed_session(options.store);
  const ProfileRow profile = options.chosen(session);
  predict_stream(*session.kernel_predictor(profile, kind), std::cin, options.json, session.stop());
}

void list_kernels(const KernelsOptions& options) {
  const Session session = open_surveyed_session(options.store);
  std::vector<std::vector<std::string>> rows{
      {"profile", "device", "setup", "source", "kernel", "rows", "predictors"}};
  for (const ProfileRow& row : session.store().profiles()) {
    if (row.setup.phase != Phase::inference) continue;
    const KnownKernels known = session.known_kernels(row);
    std::vector<std::string> methods;
    for (const PredictorKind kind : known.predictors) methods.emplace_back(to_string(kind));
    if (options.json)
      fmt::print("{}\n", json_text(Json{{"profile", std::to_string(row.id)},
                                        {"device", device_brief_json(row.device)},
                                        {"setup", setup_json(row.setup)},
                                        {"source", to_string(row.device.source)},
                                        {"fusion", to_text(known.rules)},
                                        {"kernels", known.rows},
                                        {"predictors", methods}}));
    for (const auto& [type, count] : known.rows)
      rows.push_back({std::to_string(row.id), row.device.name, to_string(row.setup),
                      to_string(row.device.source), type, std::to_string(count),
                      fmt::format("{}", fmt::join(methods, ", "))});
  }
  if (!options.json) print_table(rows);
}

}  // namespace ampere
