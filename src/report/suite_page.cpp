#include "report/suite_page.h"

#include <algorithm>

#include "evaluate/evaluation_json.h"
#include "evaluate/suite_answers.h"
#include "record/record_json.h"
#include "report/evaluate_json.h"

namespace ampere {
namespace {

std::optional<Accuracy> accuracy_of(const std::vector<SuiteResult>& results,
                                    const SuiteAnswers& column,
                                    std::optional<Interval> SuiteAnswer::*estimated,
                                    Quantity Measurement::*measured) {
  std::vector<Interval> predictions;
  std::vector<double> values;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!(column.steps[i].*estimated)) continue;
    predictions.push_back(*(column.steps[i].*estimated));
    values.push_back(((*results[i].measured).*measured).mean);
  }
  if (values.empty()) return std::nullopt;
  return accuracy(predictions, values);
}

Json step_json(const SuiteResult& result, const std::vector<SuiteAnswers>& answers,
               std::size_t place) {
  Json energies = Json::array(), times = Json::array();
  if (result.measured) {
    energies.push_back(result.measured->energy_j.mean);
    times.push_back(result.measured->time_s.mean);
  }
  Json estimates = Json::object(), time_estimates = Json::object(), reasons = Json::object();
  for (const SuiteAnswers& column : answers) {
    estimates[column.name] = predicted_json(column.steps[place].energy_j);
    time_estimates[column.name] = predicted_json(column.steps[place].time_s);
  }
  for (const auto& [method, estimate] : result.methods)
    if (!estimate.reason.empty()) reasons[method] = estimate.reason;
  return {{"model", result.entry},
          {"measured_j_per_iteration", std::move(energies)},
          {"measured_s_per_iteration", std::move(times)},
          {"estimates", std::move(estimates)},
          {"time_estimates", std::move(time_estimates)},
          {"at_hand_estimates", Json::array()},
          {"reasons", std::move(reasons)},
          {"training_flops", result.flops},
          {"failure", result.failure.empty() ? Json(nullptr) : Json(result.failure)}};
}

}  // namespace

Json suite_page_json(const std::string& suite, const DeviceInfo& device,
                     const std::vector<SuiteResult>& results, std::span<const SuitePeer> peers) {
  const std::vector<SuiteAnswers> answers = suite_answers(results, peers);
  Json methods = Json::object(), steps = Json::array();
  for (const SuiteAnswers& column : answers) {
    const auto energy =
        accuracy_of(results, column, &SuiteAnswer::energy_j, &Measurement::energy_j);
    Json score = energy ? accuracy_fields(energy) : Json::object();
    score["time"] =
        accuracy_fields(accuracy_of(results, column, &SuiteAnswer::time_s, &Measurement::time_s));
    score["steady_host"] = nullptr;
    score["at_hand"] = nullptr;
    score["compared"] = std::ranges::count_if(
        column.steps, [](const SuiteAnswer& answer) { return answer.energy_j.has_value(); });
    methods[column.name] = std::move(score);
  }
  for (std::size_t i = 0; i < results.size(); ++i)
    steps.push_back(step_json(results[i], answers, i));
  return {
      {"family", suite},
      {"mode", "training"},
      {"batch", nullptr},
      {"device", device_brief_json(device)},
      {"environment", device_json(device)},
      {"source", to_string(device.source)},
      {"repeat_noise", {{"mape", nullptr}, {"time_mape", nullptr}, {"steady_host_mape", nullptr}}},
      {"confidence", kEvaluationConfidence},
      {"host_drift", nullptr},
      {"methods", std::move(methods)},
      {"networks", std::move(steps)}};
}

}  // namespace ampere
