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

// Reports every bad row on standard error, with its line, and gives the good ones.
EnergyTable read_table(const KernelsOptions& options, const std::string& path,
                       Json* summary = nullptr) {
  ImportOptions importing = options.import;
  if (!options.energy_source.empty()) importing.source = parse_source(options.energy_source);
  TableImport imported = import_table(read_file(path, kLargestTable), path, importing);
  for (const BadRow& bad : imported.bad)
    fmt::print(stderr, "{}: line {}: {}\n", path, bad.line, bad.reason);
  for (const std::string& note : imported.notes)
    fmt::print(stderr, "ampere: note: {}: {}\n", path, note);
  if (imported.data.rows.empty() || (options.strict && !imported.bad.empty()))
    throw Error(ErrorCode::usage,
                fmt::format("{}: {} of {} rows are bad{}", path, imported.bad.size(),
                            imported.bad.size() + imported.data.rows.size(),
                            options.strict ? ", and --strict accepts all rows or none" : ""));
  if (summary != nullptr) {
    Json bad = Json::array();
    for (const BadRow& row : imported.bad)
      bad.push_back({{"line", row.line}, {"reason", row.reason}});
    *summary = {{"rows", imported.data.rows.size()},
                {"level", to_string(imported.data.level)},
                {"bad", std::move(bad)},
                {"notes", imported.notes}};
  }
  return std::move(imported.data);
}

TableLevel parse_level(const std::string& text) {
  for (const TableLevel level : {TableLevel::kernel, TableLevel::model, TableLevel::application})
    if (text == to_string(level)) return level;
  throw Error(ErrorCode::usage,
              fmt::format("--level: '{}' is none of kernel, model and application", text));
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
    const EnergyTable table = read_table(options, options.table);
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
  const EnergyTable table = read_table(options, options.file, &summary);
  Session session = open_session(options.store, Access::write);
  std::vector<std::string> profiles;
  for (const std::int64_t profile : session.keep_kernels(table, options.device))
    profiles.push_back(std::to_string(profile));
  if (options.json) {
    summary["profiles"] = profiles;
    fmt::print("{}\n", json_text(summary));
    return;
  }
  fmt::print("profile {}: {} added, {} left out\n", fmt::join(profiles, ", "),
             counted(std::ssize(table.rows), "row"),
             counted(static_cast<std::int64_t>(summary.at("bad").size()), "bad row"));
}

void export_kernels(const KernelsOptions& options) {
  const TableLevel level = parse_level(options.level);
  const Session session = open_surveyed_session(options.store);
  const ProfileRow profile = options.chosen(session);
  const EnergyTable table = session.kernel_table(profile, level);
  if (table.rows.empty())
    throw Error(ErrorCode::unknown,
                fmt::format("profile {} has nothing of the level {}", profile.id, options.level));
  const std::string csv = export_table(table);
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
