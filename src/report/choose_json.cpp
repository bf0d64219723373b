#include "report/choose_json.h"

#include "base/or_null.h"
#include "base/quantity_json.h"
#include "record/record_json.h"
#include "report/estimate_json.h"
#include "setup/setup_json.h"

namespace ampere {
namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json standing_json(Standing standing) {
  return standing == Standing::none ? Json(nullptr) : Json(to_string(standing));
}

// What a sample costs: the same whatever the number of them.
Json per_sample_json(const Alternative& each, const std::optional<Quantity>& per_iteration) {
  if (!per_iteration) return nullptr;
  return per_iteration->mean / static_cast<double>(*each.samples_per_iteration);
}

Json costs_json(const Alternative& each) {
  if (!each.estimate)
    return {{"energy_j", nullptr},
            {"time_s", nullptr},
            {"energy_j_per_sample", nullptr},
            {"time_s_per_sample", nullptr},
            {"limit", nullptr}};
  const Estimate& estimate = *each.estimate;
  return {{"energy_j", interval_json(*estimate.energy_j)},
          {"time_s", interval_json(*estimate.time_s)},
          {"energy_j_per_sample", per_sample_json(each, estimate.energy_j_per_iteration)},
          {"time_s_per_sample", per_sample_json(each, estimate.time_s_per_iteration)},
          {"limit", estimate.iteration ? Json(limit_of(*estimate.iteration)) : Json(nullptr)}};
}

Json alternative_json(const Alternative& each, const std::string& remedy) {
  const bool has_device = !each.profile.device.name.empty();
  Json json{{"name", each.name},
            {"setup", each.setup ? setup_json(*each.setup) : Json(nullptr)},
            {"compiled", or_null(each.compiled)},
            {"samples_per_iteration", or_null(each.samples_per_iteration)},
            {"iterations", each.samples_per_iteration ? Json(each.workload.iterations) : nullptr},
            {"device", has_device ? device_brief_json(each.profile.device) : Json(nullptr)},
            {"profile", text_or_null(profile_of(each))},
            {"method", text_or_null(each.method)},
            {"source", each.estimate ? Json(to_string(each.estimate->source)) : Json(nullptr)}};
  json.update(costs_json(each));
  json["peak_memory_bytes"] = or_null(each.peak_bytes);
  json["inside"] = {{"memory", standing_json(each.memory)},
                    {"energy", standing_json(each.energy)},
                    {"time", standing_json(each.time)}};
  json["front"] = each.on_front;
  json["maybe_front"] = each.maybe_on_front;
  json["rank"] = each.rank > 0 ? Json(each.rank) : Json(nullptr);
  json["reason"] = text_or_null(each.reason);
  json["remedy"] = text_or_null(remedy);
  return json;
}

Json checked_json(const OrderCheck& order, const Choices& choices) {
  Json list = Json::array();
  for (const CheckedAlternative& each : order.checked) {
    const Alternative& alternative = choices.alternatives[each.alternative];
    Json json{{"alternative", each.alternative}, {"name", alternative.name}};
    if (each.measured) {
      json["source"] = to_string(each.measured->source);
      json["energy_j"] = each.energy.value;
      json["time_s"] = each.time.count();
      json["energy_error_of_estimate"] = alternative.energy_j() / each.energy.value - 1;
      json["time_error_of_estimate"] = alternative.time_s() / each.time.count() - 1;
      json["energy_j_per_iteration"] = quantity_json(each.measured->energy_j);
      json["time_s_per_iteration"] = quantity_json(each.measured->time_s);
      json["notes"] = each.measured->notes;
    }
    json["failure"] = text_or_null(each.failure);
    list.push_back(std::move(json));
  }
  return {{"held", or_null(order.held())},
          {"pairs_held", order.pairs_held},
          {"pairs_turned", order.pairs_turned},
          {"pairs_close", order.pairs_close},
          {"measured_best", or_null(order.measured_best)},
          {"measured", std::move(list)}};
}

}  // namespace

std::string profile_of(const Alternative& alternative) {
  const ProfileRow& row = alternative.profile;
  return row.device.name.empty() ? "" : profile_name(row);
}

Json choice_json(const ChoiceReport& report) {
  const Goal& goal = report.task.goal;
  const Choices& choices = report.choices;
  Json alternatives = Json::array();
  for (std::size_t i = 0; i < choices.alternatives.size(); ++i)
    alternatives.push_back(alternative_json(choices.alternatives[i], report.remedies.at(i)));
  return {{"model", report.model},
          {"objective", to_string(goal.wish)},
          {"samples", goal.samples},
          {"epochs", goal.epochs},
          {"confidence", goal.confidence},
          {"limits",
           {{"energy_j", goal.most_energy ? Json(goal.most_energy->value) : Json(nullptr)},
            {"time_s", goal.most_time ? Json(goal.most_time->count()) : Json(nullptr)},
            {"memory_bytes", or_null(goal.memory_bytes)}}},
          {"alternatives", std::move(alternatives)},
          {"best", or_null(choices.best)},
          {"why_no_best", text_or_null(choices.why_no_best)},
          {"least_energy", or_null(choices.least_energy)},
          {"least_time", or_null(choices.least_time)},
          {"knee", or_null(choices.knee)},
          {"why_no_knee", text_or_null(choices.why_no_knee)},
          {"checked", report.checked ? checked_json(*report.checked, choices) : Json(nullptr)},
          {"warnings", choices.warnings}};
}

}  // namespace ampere
