#include "kernels_verbs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>

#include "ampere/error.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "front_door.h"
#include "kernels_output.h"
#include "kernels_predict.h"
#include "print.h"
#include "record/record_json.h"
#include "session/survey.h"
#include "terminal.h"

namespace ampere {
namespace {

// The model families of DeepEn2023.
const std::vector<std::string> kFamilies{"alexnet",      "densenet121",   "googlenet",
                                         "mobilenet_v1", "mobilenet_v2",  "proxylessnas",
                                         "resnet18",     "shufflenet_v2", "squeezenet"};

std::vector<PredictorKind> predictors(const std::string& names) {
  if (names == "both") return {PredictorKind::gp, PredictorKind::forest};
  return {parse_predictor_kind(names)};
}

void preview(const KernelsOptions& options, const std::vector<Model>& networks) {
  const auto rig = options.rig.open();
  const Session session = open_preview_session(options.store);
  const auto profile = session.profile_of(rig->device(), inference_setup(options.batch));
  const SurveyPlan plan = preview_survey(networks, session.store(), profile, options.survey());
  const double each = options.survey().precision.time_limit.count();
  if (options.json)
    fmt::print("{}\n", plan_json(plan, rig->device(), each).dump());
  else
    print_plan(plan, rig->device(), each);
}

// Reports every bad row on standard error, with its line, and gives the good ones.
EnergyTable read_table(const KernelsOptions& options, const std::string& path,
                       Json* summary = nullptr) {
  ImportOptions importing = options.import;
  if (!options.energy_source.empty()) importing.source = parse_source(options.energy_source);
  TableImport imported = import_table(read_text_file(path), path, importing);
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

SurveyOptions KernelsOptions::survey() const {
  if (configurations < 1 || configurations > 100000)
    throw Error(ErrorCode::usage,
                fmt::format("--configurations: {} is not between 1 and 100000", configurations));
  if (batch < 1) throw Error(ErrorCode::usage, fmt::format("--batch: {} is not positive", batch));
  if (!(tolerance >= 0))
    throw Error(ErrorCode::usage, fmt::format("--tolerance: {} is negative", tolerance));
  if (!(time_limit >= 0))
    throw Error(ErrorCode::usage, fmt::format("--time-limit: {} is negative", time_limit));
  SurveyOptions options;
  options.configurations = configurations;
  options.tolerance = tolerance;
  options.seed = static_cast<unsigned>(rig.seed);
  options.precision = measuring.precision(options.precision);
  return options;
}

std::vector<Model> KernelsOptions::networks() const {
  std::vector<Model> opened;
  for (const std::string& spec : models.empty() ? kFamilies : models)
    opened.push_back(source.open(spec));
  return opened;
}

ProfileRow KernelsOptions::chosen(const Session& session) const {
  return session.choose({.setup = inference_setup(), .any_batch = true, .profile = profile}).row;
}

void measure_kernels(const KernelsOptions& options) {
  const SurveyOptions survey = options.survey();
  const std::vector<Model> networks = options.networks();
  if (options.dry_run) return preview(options, networks);
  TerminalListener listener;
  Session session = open_session(options.store, Access::write, &listener);
  const auto rig = options.rig.open();
  const std::optional<Seconds> limit =
      options.time_limit > 0 ? std::optional(Seconds(options.time_limit)) : std::nullopt;
  const SurveySummary summary = run_survey(session, networks, inference_setup(options.batch),
                                           survey, limit, {*rig, options.rig.rig});
  listener.finish();
  print_warnings(summary.warnings);
  if (options.json)
    fmt::print("{}\n", survey_json(summary, rig->device()).dump());
  else
    print_survey(summary, rig->device());
}

void fit_predictors(const KernelsOptions& options) {
  const std::vector<PredictorKind> kinds = predictors(options.predictor);
  if (options.folds < 0 || options.folds == 1)
    throw Error(ErrorCode::usage, "--cv: two folds at least, or 0 for none");
  std::optional<Session> session;
  ProfileRow profile;
  EnergyTable table;
  if (options.table.empty()) {
    session.emplace(open_session(options.store, Access::write));
    profile = options.chosen(*session);
    table = kernel_table(session->store(), profile);
    if (table.rows.empty())
      throw Error(ErrorCode::unknown,
                  fmt::format("profile {} has no kernels: run `ampere kernels measure` or `ampere "
                              "kernels import`",
                              profile.id));
  } else {
    table = read_table(options, options.table);
  }
  std::vector<KernelFitting> fittings;
  for (const PredictorKind kind : kinds) {
    fittings.push_back(fit_kernels(table, {.kind = kind, .folds = options.folds}));
    if (session) put_kernel_fits(session->store(), profile.id, fittings.back().fits);
  }
  std::optional<KernelComposition> composition;
  if (session) composition = keep_composition(session->store(), profile.id);
  if (!options.json) {
    print_fittings(fittings);
    return print_composition(composition);
  }
  Json json = fittings_json(fittings);
  json["composition"] = composition_json(composition);
  json["profile"] = session ? Json(std::to_string(profile.id)) : Json(nullptr);
  fmt::print("{}\n", json.dump());
}

void import_kernels(const KernelsOptions& options) {
  Json summary;
  const EnergyTable table = read_table(options, options.file, &summary);
  Session session = open_session(options.store, Access::write);
  std::vector<std::string> profiles;
  const auto kept = keep_table(session.store(), table, options.device);
  for (const std::int64_t profile : kept) profiles.push_back(std::to_string(profile));
  if (options.json) {
    summary["profiles"] = profiles;
    fmt::print("{}\n", summary.dump());
    return;
  }
  fmt::print("profile {}: {} rows added, {} bad rows left out\n", fmt::join(profiles, ", "),
             table.rows.size(), summary.at("bad").size());
}

void export_kernels(const KernelsOptions& options) {
  const TableLevel level = parse_level(options.level);
  const Session session = open_surveyed_session(options.store);
  const ProfileRow profile = options.chosen(session);
  const EnergyTable table = kernel_table(session.store(), profile, level);
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
  const KernelFits fits = read_kernel_fits(session.store(), profile.id, kind);
  if (fits.empty())
    throw Error(ErrorCode::unknown,
                fmt::format("profile {} has no predictors by {}: run `ampere kernels fit`",
                            profile.id, options.predictor));
  predict_stream(fits, std::cin, options.json, session.stop());
}

void list_kernels(const KernelsOptions& options) {
  const Session session = open_surveyed_session(options.store);
  const Store& store = session.store();
  std::vector<std::vector<std::string>> rows{
      {"profile", "device", "setup", "source", "kernel", "rows", "predictors"}};
  for (const ProfileRow& row : store.profiles()) {
    if (row.setup.phase != Phase::inference) continue;
    std::map<std::string, int> types;
    for (const TableRow& kernel : kernel_table(store, row).rows) ++types[kernel.name];
    std::vector<std::string> methods;
    for (const PredictorKind kind : stored_predictors(store, row.id))
      methods.emplace_back(to_string(kind));
    if (options.json)
      fmt::print("{}\n", Json{{"profile", std::to_string(row.id)},
                              {"device", device_brief_json(row.device)},
                              {"setup", setup_json(row.setup)},
                              {"source", to_string(row.device.source)},
                              {"fusion", to_text(read_fusion_rules(store, row.id))},
                              {"kernels", types},
                              {"predictors", methods}}
                             .dump());
    for (const auto& [type, count] : types)
      rows.push_back({std::to_string(row.id), row.device.name, to_string(row.setup),
                      to_string(row.device.source), type, std::to_string(count),
                      fmt::format("{}", fmt::join(methods, ", "))});
  }
  if (!options.json) print_table(rows);
}

}  // namespace ampere
