#include "evaluate/suite_json.h"

#include "base/or_null.h"
#include "base/quantity_json.h"
#include "record/record_json.h"

namespace ampere {
namespace {

Json method_estimate_json(const NetworkEstimate& estimate) {
  return {{"energy_j", estimate.energy_j ? interval_json(*estimate.energy_j) : Json(nullptr)},
          {"time_s", estimate.time_s ? interval_json(*estimate.time_s) : Json(nullptr)},
          {"reason", estimate.reason}};
}

Interval read_interval(const JsonField& json) {
  return {json.at("mean").number(), json.at("low").number(), json.at("high").number(),
          json.at("confidence").number()};
}

NetworkEstimate read_method_estimate(const JsonField& json) {
  NetworkEstimate estimate;
  if (json.has("energy_j")) estimate.energy_j = read_interval(json.at("energy_j"));
  if (json.has("time_s")) estimate.time_s = read_interval(json.at("time_s"));
  estimate.reason = json.at("reason").text();
  return estimate;
}

constexpr const char* kWords[kSuiteWays] = {"alone", "at_hand", "family_alone", "family_at_hand"};

}  // namespace

const char* to_string(SuiteWay way) {
  switch (way) {
    case SuiteWay::alone:
      return "operations, profile alone, family unknown";
    case SuiteWay::at_hand:
      return "operations, device at hand, family unknown";
    case SuiteWay::family_alone:
      return "operations, profile alone, family known";
    case SuiteWay::family_at_hand:
      return "operations, device at hand, family known";
  }
  return "";
}

Json suite_result_json(const SuiteResult& result) {
  Json estimates = Json::object();
  for (std::size_t i = 0; i < result.estimates.size(); ++i) {
    const SuiteEstimate& each = result.estimates[i];
    estimates[kWords[i]] = {{"energy_j", interval_json(each.energy_j)},
                            {"time_s", interval_json(each.time_s)},
                            {"host_s", each.host_s},
                            {"device_s", each.device_s}};
  }
  Json methods = Json::object();
  for (const auto& [name, estimate] : result.methods)
    methods[name] = method_estimate_json(estimate);
  return {{"entry", result.entry},
          {"family", result.family},
          {"program", result.program},
          {"half", result.half},
          {"flops", result.flops},
          {"bytes", result.bytes},
          {"operations", result.operations},
          {"roofline_s", result.roofline_s},
          {"sheet_s", or_null(result.sheet_s)},
          {"sheet_w", or_null(result.sheet_w)},
          {"estimates", std::move(estimates)},
          {"methods", std::move(methods)},
          {"measured", result.measured ? measurement_json(*result.measured) : Json(nullptr)},
          {"failure", result.failure},
          {"estimated_at", result.estimated_at},
          {"measured_at", result.measured_at}};
}

SuiteResult read_suite_result(const JsonField& json) {
  SuiteResult result;
  result.entry = json.at("entry").text();
  result.family = json.at("family").text();
  result.program = json.at("program").text();
  result.half = json.at("half").boolean();
  result.flops = json.at("flops").number();
  result.bytes = json.at("bytes").number();
  result.operations = json.at("operations").number();
  result.roofline_s = json.at("roofline_s").number();
  result.failure = json.at("failure").text();
  result.estimated_at = json.at("estimated_at").text();
  result.measured_at = json.at("measured_at").text();
  for (const char* word : kWords) {
    if (!json.at("estimates").has(word)) break;
    const JsonField its = json.at("estimates").at(word);
    result.estimates.push_back({read_interval(its.at("energy_j")), read_interval(its.at("time_s")),
                                its.at("host_s").number(), its.at("device_s").number()});
  }
  // Results of earlier versions have neither.
  if (json.has("sheet_s")) result.sheet_s = json.at("sheet_s").number();
  if (json.has("sheet_w")) result.sheet_w = json.at("sheet_w").number();
  if (json.has("methods"))
    for (const std::string& name : json.at("methods").keys())
      result.methods[name] = read_method_estimate(json.at("methods").at(name));
  if (json.has("measured")) result.measured = read_measurement(json.at("measured"));
  return result;
}

Json suite_score_json(const SuiteScore& score) {
  return {{"name", score.name},
          {"steps", score.steps},
          {"energy_mape", or_null(score.energy_mape)},
          {"energy_p90", or_null(score.energy_p90)},
          {"energy_bias", or_null(score.energy_bias)},
          {"energy_coverage", or_null(score.energy_coverage)},
          {"time_mape", or_null(score.time_mape)},
          {"time_coverage", or_null(score.time_coverage)}};
}

}  // namespace ampere
