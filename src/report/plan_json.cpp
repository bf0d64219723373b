#include "report/plan_json.h"

#include <algorithm>

#include "base/or_null.h"
#include "base/quantity_json.h"
#include "base/utc.h"
#include "record/record_json.h"
#include "report/estimate_json.h"

namespace ampere {
namespace {

Json stage_json(const RunStage& stage) {
  return {{"name", stage.name},
          {"basis", to_string(stage.basis)},
          {"assumption", stage.assumption.empty() ? Json(nullptr) : Json(stage.assumption)},
          {"count", stage.count},
          {"energy_j", interval_json(stage.energy_j)},
          {"time_s", interval_json(stage.time_s)}};
}

std::string moment_text(const RunReport& report, Seconds from_now) {
  return utc_text(report.now + std::chrono::floor<std::chrono::seconds>(from_now));
}

Json start_json(const RunReport& report, const StartTime& start) {
  return {{"at", moment_text(report, start.begin)},
          {"s_from_now", start.begin.count()},
          {"value", start.value}};
}

Json value_json(const RunReport& report, const RunValue& value) {
  Json json = interval_json(value_of(value, report));
  json["per_kwh"] = or_null(value.per_kwh);
  json["unit"] = value.unit.empty() ? Json(nullptr) : Json(value.unit);
  if (value.by_start) {
    json["starting_now"] = start_json(report, value.by_start->now);
    json["best_start"] = start_json(report, value.by_start->best);
    json["latest_start_considered"] = moment_text(report, value.by_start->latest);
  }
  return json;
}

}  // namespace

Interval value_of(const RunValue& value, const RunReport& report) {
  const Interval& energy = report.planned.run.energy_j;
  double per_joule = 0;
  if (value.per_kwh) {
    per_joule = *value.per_kwh / kJoulesPerKwh;
  } else {
    const StartOptions& starts = *value.by_start;
    const bool waits = report.begin && report.begin->count() > 0;
    per_joule = (waits ? starts.best : starts.now).value / energy.mean;
  }
  // A price may be negative.
  const double one = per_joule * energy.low, other = per_joule * energy.high;
  return {per_joule * energy.mean, std::min(one, other), std::max(one, other), energy.confidence};
}

Json run_json(const RunReport& report) {
  const TrainingRun& run = report.planned.run;
  const Answer& answer = report.planned.answer;
  Json stages = Json::array();
  for (const RunStage& stage : run.stages) stages.push_back(stage_json(stage));
  Json json{{"model", report.model},
            {"device", device_brief_json(answer.profile.row.device)},
            {"profile", profile_name(answer.profile.row)},
            {"method", answer.method},
            {"source", to_string(answer.estimate.source)},
            {"samples", report.task.samples},
            {"epochs", report.task.epochs},
            {"samples_per_iteration", run.samples_per_iteration},
            {"iterations", run.iterations},
            {"trials", report.task.trials},
            {"energy_j", interval_json(run.energy_j)},
            {"time_s", interval_json(run.time_s)},
            {"waiting_power_w", run.waiting_power ? Json(run.waiting_power->value) : Json(nullptr)},
            {"waiting_power_basis",
             run.waiting_power ? Json(to_string(run.waiting_basis)) : Json(nullptr)},
            {"stages", std::move(stages)}};
  for (const RunValue& value : report.values) json[value.name] = value_json(report, value);
  json["start"] = report.begin ? Json(moment_text(report, *report.begin)) : Json(nullptr);
  Json warnings = answer.estimate.warnings;
  for (const std::string& warning : report.warnings) warnings.push_back(warning);
  json["warnings"] = std::move(warnings);
  return json;
}

}  // namespace ampere
