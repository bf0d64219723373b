#include "report/estimate_json.h"

#include "base/or_null.h"
#include "base/quantity_json.h"
#include "record/record_json.h"

namespace ampere {
namespace {

// `each` is the same per iteration.
Json interval_json(const std::optional<Interval>& interval, const std::optional<Quantity>& each,
                   const Workload& workload, double scale = 1) {
  if (!interval) return nullptr;
  const auto iterations = static_cast<double>(workload.iterations);
  return {{"mean", interval->mean * scale},
          {"stddev", each->stddev ? Json(*each->stddev * iterations * scale) : Json(nullptr)},
          {"low", interval->low * scale},
          {"high", interval->high * scale},
          {"confidence", interval->confidence}};
}

Json part_json(const Part& part) {
  Json features = Json::object();
  for (std::size_t i = 0; i < part.features.size(); ++i)
    features[part.feature_names[i]] = part.features[i];
  return {{"kind", part.title},
          {"role", to_string(part.role)},
          {"features", std::move(features)},
          {"count", part.count},
          {"energy_j_per_iteration", quantity_json(part.energy_j)},
          {"time_s_per_iteration", quantity_json(part.time_s)},
          {"extrapolated", part.extrapolated}};
}

Json checked_json(const EstimateReport& report) {
  const Check& check = *report.checked;
  const Measurement& measured = check.measured;
  const auto compare = [](const Quantity& statistic, std::optional<double> difference) -> Json {
    return {{"mean", statistic.mean},
            {"standard_error", or_null(statistic.stddev)},
            {"relative_error_of_estimate", or_null(difference)}};
  };
  return {{"source", to_string(measured.source)},
          {"energy_j_per_iteration", compare(measured.energy_j, check.energy_difference)},
          {"time_s_per_iteration", compare(measured.time_s, check.time_difference)},
          {"notes", measured.notes}};
}

}  // namespace

Json estimate_json(const EstimateReport& report, const Conversions& conversions) {
  const Estimate& estimate = report.estimate;
  const auto energy = [&](double scale = 1) {
    return interval_json(estimate.energy_j, estimate.energy_j_per_iteration, report.workload,
                         scale);
  };
  Json json{
      {"model", report.model},
      {"batch", report.setup.batch},
      {"iterations", report.workload.iterations},
      {"method", report.method},
      {"mode", report.setup.phase == Phase::inference ? "inference" : "training"},
      {"device", device_brief_json(report.profile->device)},
      {"profile", std::to_string(report.profile->id)},
      {"source", to_string(estimate.source)},
      {"energy_j", energy()},
      {"energy_j_per_iteration", quantity_json(estimate.energy_j_per_iteration)},
      {"time_s", interval_json(estimate.time_s, estimate.time_s_per_iteration, report.workload)},
      {"time_s_per_iteration", quantity_json(estimate.time_s_per_iteration)},
      {"parts", Json::array()},
      {"uncovered", Json::array()},
      {"warnings", estimate.warnings},
      {"unsteady", estimate.unsteady},
      {"advice", estimate.advice}};
  for (const Part& part : estimate.parts) json["parts"].push_back(part_json(part));
  for (const Uncovered& uncovered : estimate.uncovered)
    json["uncovered"].push_back({{"layer", uncovered.layer}, {"reason", uncovered.reason}});
  if (conversions.battery_j) json["battery_share"] = energy(1 / *conversions.battery_j);
  if (conversions.carbon_g_per_kwh)
    json["carbon_g"] = energy(*conversions.carbon_g_per_kwh / kJoulesPerKwh);
  if (conversions.price_per_kwh) json["price"] = energy(*conversions.price_per_kwh / kJoulesPerKwh);
  if (report.host_slowdown) json["host_slowdown"] = *report.host_slowdown;
  if (report.checked) json["checked"] = checked_json(report);
  return json;
}

}  // namespace ampere
