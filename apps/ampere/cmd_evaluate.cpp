#include <fmt/format.h>

#include <fstream>

#include "ampere/error.h"
#include "ampere/evaluate.h"
#include "base/json.h"
#include "base/text.h"
#include "commands.h"
#include "knowledge.h"
#include "options.h"
#include "print.h"
#include "profiling.h"
#include "progress.h"
#include "record/record_json.h"

namespace ampere {
namespace {

struct Options {
  std::vector<std::string> families;
  SetupOptions setup;
  RigSelection rig;
  PrecisionOptions precision;
  std::string store;
  int networks = 40, points = ProfileOptions{}.points;
  bool json = false;
};

struct Evaluated {
  std::string family;
  ProfileSummary profile;
  Evaluation evaluation;
};

Json accuracy_json(const Accuracy& accuracy) {
  return {{"mape", accuracy.mape},
          {"bias", accuracy.bias},
          {"rmspe", accuracy.rmspe},
          {"within_5", accuracy.within_5},
          {"within_10", accuracy.within_10},
          {"within_15", accuracy.within_15},
          {"coverage_90", accuracy.coverage ? Json(*accuracy.coverage) : Json(nullptr)}};
}

Json network_json(const EvaluatedNetwork& network) {
  Json energies = Json::array(), times = Json::array();
  for (const Measurement& measurement : network.measurements) {
    energies.push_back(measurement.energy_j.mean);
    times.push_back(measurement.time_s.mean);
  }
  const auto interval = [](const std::optional<Interval>& value) -> Json {
    if (!value) return nullptr;
    return {{"mean", value->mean}, {"low", value->low}, {"high", value->high}};
  };
  return {{"model", network.model},
          {"measured_j_per_iteration", std::move(energies)},
          {"measured_s_per_iteration", std::move(times)},
          {"estimates", {{"ampere", interval(network.estimate.energy_j)}}},
          {"time_estimates", {{"ampere", interval(network.estimate.time_s)}}},
          {"failure", network.failure.empty() ? Json(nullptr) : Json(network.failure)}};
}

void print_json(const Evaluated& evaluated, const Options& options, const Rig& rig) {
  const Evaluation& evaluation = evaluated.evaluation;
  Json method = accuracy_json(evaluation.energy);
  method["time"] = accuracy_json(evaluation.time);
  method["points"] = evaluated.profile.measured;
  method["seconds"] = evaluated.profile.measuring.count();
  Json json{
      {"family", evaluated.family},
      {"batch", options.setup.batch},
      {"device", device_brief_json(rig.device())},
      {"source", to_string(rig.device().source)},
      {"profile_seconds", evaluated.profile.elapsed.count()},
      {"repeat_noise",
       {{"mape", evaluation.energy_repeat_noise}, {"time_mape", evaluation.time_repeat_noise}}},
      {"methods", {{"ampere", std::move(method)}}},
      {"networks", Json::array()}};
  for (const EvaluatedNetwork& network : evaluation.networks)
    json["networks"].push_back(network_json(network));
  fmt::print("{}\n", json.dump());
}

void print_text(const std::vector<Evaluated>& all, const Options& options, const Rig& rig) {
  std::vector<std::vector<std::string>> rows{{"family", "of", "MAPE", "bias", "within 10 %",
                                              "coverage 90 %", "repeat noise", "networks",
                                              "points"}};
  const auto row = [&](const Evaluated& evaluated, const char* of, const Accuracy& accuracy,
                       double noise) {
    rows.push_back({evaluated.family, of, percent(accuracy.mape), percent(accuracy.bias),
                    percent(accuracy.within_10),
                    accuracy.coverage ? percent(*accuracy.coverage) : "", percent(noise),
                    std::to_string(evaluated.evaluation.networks.size()),
                    std::to_string(evaluated.profile.measured)});
  };
  for (const Evaluated& evaluated : all) {
    row(evaluated, "energy", evaluated.evaluation.energy, evaluated.evaluation.energy_repeat_noise);
    row(evaluated, "time", evaluated.evaluation.time, evaluated.evaluation.time_repeat_noise);
  }
  fmt::print("{} ({}), {}, method ampere\n", rig.device().name, to_string(rig.device().source),
             to_string(options.setup.setup()));
  print_table(rows);
}

Evaluated evaluate_family(const std::string& family, const Options& options, Rig& rig,
                          Store& store) {
  const Setup setup = options.setup.setup();
  ProfileOptions wishes;
  wishes.points = options.points;
  wishes.precision = options.precision.precision();
  const std::vector<Model> original{open_model(family)};
  const std::vector<Model> networks =
      draw_networks(family, options.networks, static_cast<unsigned>(options.rig.seed));

  Evaluated evaluated{
      family, profile_with_progress(original, rig, options.rig.rig, store, setup, wishes), {}};
  ProgressLine line;
  const auto estimator = make_ampere_estimator(load_fits(store, evaluated.profile.profile));
  evaluated.evaluation =
      evaluate(networks, *estimator, rig, setup, wishes.precision,
               static_cast<unsigned>(options.rig.seed), [&](int done, int of) {
                 line.show(fmt::format("{}: {} of {} measurements", family, done, of));
               });
  return evaluated;
}

void evaluate_all(const Options& options) {
  if (options.families.empty())
    throw Error(ErrorCode::usage, "evaluate needs a FAMILY; `ampere models` lists them");
  if (options.networks < 1)
    throw Error(ErrorCode::usage, fmt::format("--networks: {} is not positive", options.networks));
  const auto store = open_store(options.store);
  const auto rig = options.rig.open();
  std::vector<Evaluated> all;
  for (const std::string& family : options.families) {
    all.push_back(evaluate_family(family, options, *rig, *store));
    if (options.json) print_json(all.back(), options, *rig);
  }
  if (!options.json) print_text(all, options, *rig);
}

}  // namespace

void add_evaluate(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "evaluate",
      "Draws random networks of a family, estimates them, then measures each twice and compares");
  command->add_option("FAMILY", options->families, "Zoo names");
  command->add_option("--networks", options->networks, "How many random networks")
      ->capture_default_str();
  command->add_option("--points", options->points, "Most points for a kind when profiling")
      ->capture_default_str();
  add_setup_options(*command, options->setup, settings);
  add_rig_options(*command, options->rig, settings);
  add_precision_options(*command, options->precision);
  add_store_option(*command, options->store, settings);
  add_json_flag(*command, options->json);
  add_example(*command, "ampere evaluate cnn5 --rig sim:xavier --networks 100 --store memory:");
  command->callback([options] { evaluate_all(*options); });
}

}  // namespace ampere
