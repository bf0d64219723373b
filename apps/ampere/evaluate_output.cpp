#include "evaluate_output.h"

#include <fmt/format.h>

#include "base/or_null.h"
#include "evaluate/evaluation_json.h"
#include "print.h"
#include "record/record_json.h"

namespace ampere {
namespace {

Json accuracy_json(const std::optional<Accuracy>& accuracy) {
  if (!accuracy) return nullptr;
  return {{"mape", accuracy->mape},
          {"bias", accuracy->bias},
          {"rmspe", accuracy->rmspe},
          {"within_5", accuracy->within_5},
          {"within_10", accuracy->within_10},
          {"within_15", accuracy->within_15},
          {"coverage_90", or_null(accuracy->coverage)}};
}

Json method_json(const MethodRecord& method, const MethodScore& score) {
  Json json = score.energy ? accuracy_json(score.energy) : Json::object();
  json["time"] = accuracy_json(score.time);
  json["steady_host"] = accuracy_json(score.steady);
  json["compared"] = score.compared;
  json["points"] = method.points;
  json["seconds"] = method.seconds.count();
  return json;
}

Json network_json(const EvaluatedNetwork& network) {
  Json energies = Json::array(), times = Json::array();
  for (const Measurement& measurement : network.measurements) {
    energies.push_back(measurement.energy_j.mean);
    times.push_back(measurement.time_s.mean);
  }
  Json estimates = Json::object(), time_estimates = Json::object();
  for (const auto& [method, estimate] : network.estimates) {
    estimates[method] = predicted_json(estimate.energy_j);
    time_estimates[method] = predicted_json(estimate.time_s);
  }
  return {{"model", network.model.name()},
          {"measured_j_per_iteration", std::move(energies)},
          {"measured_s_per_iteration", std::move(times)},
          {"estimates", std::move(estimates)},
          {"time_estimates", std::move(time_estimates)},
          {"failure", network.failure.empty() ? Json(nullptr) : Json(network.failure)}};
}

std::string percent_or_empty(const std::optional<double>& share) {
  return share ? percent(*share) : "";
}

void add_rows(const Evaluation& evaluation, std::vector<std::vector<std::string>>& rows) {
  const Scores scores = score(evaluation);
  for (const MethodRecord& method : evaluation.methods) {
    const MethodScore& of = scores.methods.at(method.name);
    if (!of.energy) {
      rows.push_back({evaluation.family, method.name, "nothing to compare"});
      continue;
    }
    rows.push_back(
        {evaluation.family, method.name, percent(of.energy->mape), percent(of.energy->bias),
         percent(of.energy->rmspe), percent(of.energy->within_5), percent(of.energy->within_10),
         percent(of.energy->within_15), percent_or_empty(of.energy->coverage),
         of.time ? percent(of.time->mape) : "", of.steady ? percent(of.steady->mape) : "",
         std::to_string(of.compared), std::to_string(method.points),
         fmt::format("{:.0f} s", method.seconds.count())});
  }
  rows.push_back({evaluation.family, "repeat noise", percent_or_empty(scores.energy_repeat_noise),
                  "", "", "", "", "", "", percent_or_empty(scores.time_repeat_noise),
                  percent_or_empty(scores.steady_repeat_noise), "", "", ""});
  if (scores.host_drift)
    rows.push_back(
        {evaluation.family, "host drift", fmt::format("{:+.1f} %", 100 * *scores.host_drift)});
}

}  // namespace

Json evaluation_json(const Evaluation& evaluation) {
  const Scores scores = score(evaluation);
  Json methods = Json::object(), networks = Json::array();
  for (const MethodRecord& method : evaluation.methods)
    methods[method.name] = method_json(method, scores.methods.at(method.name));
  for (const EvaluatedNetwork& network : evaluation.networks)
    networks.push_back(network_json(network));
  return {{"family", evaluation.family},
          {"batch", evaluation.setup.batch},
          {"device", device_brief_json(evaluation.device)},
          {"environment", device_json(evaluation.device)},
          {"setup", setup_json(evaluation.setup)},
          {"seed", evaluation.seed},
          {"begun_at", evaluation.begun_at},
          {"source", to_string(evaluation.device.source)},
          {"profile_seconds", evaluation.profile_seconds.count()},
          {"repeat_noise",
           {{"mape", or_null(scores.energy_repeat_noise)},
            {"time_mape", or_null(scores.time_repeat_noise)},
            {"steady_host_mape", or_null(scores.steady_repeat_noise)}}},
          {"host_drift", or_null(scores.host_drift)},
          {"methods", std::move(methods)},
          {"networks", std::move(networks)}};
}

void print_evaluations(std::span<const Evaluation> evaluations) {
  const Evaluation& first = evaluations.front();
  fmt::print("{} ({}), {}; energy of training\n", first.device.name, to_string(first.device.source),
             to_string(first.setup));
  std::vector<std::vector<std::string>> rows{{"family", "method", "MAPE", "bias", "RMSPE", "in 5 %",
                                              "in 10 %", "in 15 %", "coverage", "time MAPE",
                                              "steady host", "networks", "points", "measuring"}};
  for (const Evaluation& evaluation : evaluations) add_rows(evaluation, rows);
  print_table(rows);
}

}  // namespace ampere
