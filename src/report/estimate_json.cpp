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

Json share_json(const ProgramShare& share) {
  return {{"name", share.name},
          {"calls", share.calls},
          {"energy_j_per_iteration", share.energy_j},
          {"device_s_per_iteration", share.device_s}};
}

Json shares_json(const std::vector<ProgramShare>& shares) {
  Json list = Json::array();
  for (const ProgramShare& share : shares) list.push_back(share_json(share));
  return list;
}

// What only a method that knows operations can say.
void add_iteration(const IterationDetails& iteration, Json& json) {
  json["groups"] = shares_json(iteration.groups);
  json["modules"] = shares_json(iteration.modules);
  const Interval& device = iteration.device_s;
  json["device_s_per_iteration"] = {{"mean", device.mean},
                                    {"low", device.low},
                                    {"high", device.high},
                                    {"confidence", device.confidence}};
  json["host_s_per_iteration"] = iteration.host_s;
  json["limit"] = limit_of(iteration);
  Json& by_source = json["device_time_by_source"] = Json::object();
  for (std::size_t i = 1; i < kTimeSources; ++i)
    by_source[to_string(static_cast<TimeSource>(i))] = iteration.share_of_source[i];
  json["foreign_operations"] = Json::array();
  for (const UncoveredName& each : iteration.uncovered)
    json["foreign_operations"].push_back({{"name", each.name}, {"share", each.share}});
  json["peak_memory_bytes"] = or_null(iteration.peak_bytes);
}

Json program_brief_json(const Program& program) {
  return {{"name", program.name},
          {"hash", program_hash(program)},
          {"steps", program.steps.size()},
          {"way", to_string(program.origin.way)},
          {"framework", program.origin.framework},
          {"device", program.origin.device}};
}

Json origin_json(const ProfileRow& row, const IterationDetails& iteration) {
  return {{"date", iteration.profiled_at},
          {"framework", row.device.framework},
          {"driver", row.device.driver},
          {"shipped", !row.shipped.empty()}};
}

}  // namespace

const char* limit_of(const IterationDetails& iteration) {
  if (iteration.power_limited) return "power";
  return iteration.host_bound ? "host" : "device";
}

std::optional<std::int64_t> batch_of(const EstimateReport& report) {
  if (report.program == nullptr) return report.setup.batch;
  if (report.program->samples) return report.program->samples;
  if (report.program->setup) return report.program->setup->batch;
  return std::nullopt;
}

std::string profile_name(const ProfileRow& row) {
  return row.shipped.empty() ? std::to_string(row.id) : row.shipped;
}

Json estimate_json(const EstimateReport& report, const Conversions& conversions) {
  const Estimate& estimate = report.estimate;
  const auto energy = [&](double scale = 1) {
    return interval_json(estimate.energy_j, estimate.energy_j_per_iteration, report.workload,
                         scale);
  };
  Json json{
      {"model", report.model},
      {"batch", or_null(batch_of(report))},
      {"iterations", report.workload.iterations},
      {"method", report.method},
      {"mode", report.setup.phase == Phase::inference ? "inference" : "training"},
      {"device", device_brief_json(report.profile->device)},
      {"profile", profile_name(*report.profile)},
      {"source", to_string(estimate.source)},
      {"energy_j", energy()},
      {"energy_j_per_iteration", quantity_json(estimate.energy_j_per_iteration)},
      {"time_s", interval_json(estimate.time_s, estimate.time_s_per_iteration, report.workload)},
      {"time_s_per_iteration", quantity_json(estimate.time_s_per_iteration)},
      {"parts", Json::array()},
      {"uncovered", Json::array()},
      {"warnings", estimate.warnings},
      {"unsteady", estimate.unsteady},
      {"earlier_runs", estimate.earlier_runs},
      {"advice", estimate.advice}};
  for (const Part& part : estimate.parts) json["parts"].push_back(part_json(part));
  for (const Uncovered& uncovered : estimate.uncovered)
    json["uncovered"].push_back({{"layer", uncovered.layer}, {"reason", uncovered.reason}});
  if (conversions.battery_j) json["battery_share"] = energy(1 / *conversions.battery_j);
  if (conversions.carbon_g_per_kwh)
    json["carbon_g"] = energy(*conversions.carbon_g_per_kwh / kJoulesPerKwh);
  if (conversions.price_per_kwh) json["price"] = energy(*conversions.price_per_kwh / kJoulesPerKwh);
  if (estimate.iteration) {
    add_iteration(*estimate.iteration, json);
    json["profiled"] = origin_json(*report.profile, *estimate.iteration);
  }
  if (report.program != nullptr) json["program"] = program_brief_json(*report.program);
  if (report.host_slowdown) json["host_slowdown"] = *report.host_slowdown;
  if (report.checked) json["checked"] = checked_json(report);
  return json;
}

}  // namespace ampere
