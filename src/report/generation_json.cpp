#include "report/generation_json.h"

#include "base/or_null.h"
#include "base/quantity_json.h"
#include "program/generation_step.h"
#include "record/record_json.h"
#include "report/estimate_json.h"

namespace ampere {
namespace {

Json interval_or_null(const std::optional<Interval>& interval) {
  return interval ? interval_json(*interval) : Json(nullptr);
}

Json standing_or_null(Standing standing) {
  return standing == Standing::none ? Json(nullptr) : Json(to_string(standing));
}

// What one call of a stage waits for, and how its device time became known.
Json call_cost_json(const IterationDetails& details) {
  Json by_source = Json::object();
  for (std::size_t i = 1; i < kTimeSources; ++i)
    by_source[to_string(static_cast<TimeSource>(i))] = details.share_of_source[i];
  Json foreign = Json::array();
  for (const UncoveredName& each : details.uncovered)
    foreign.push_back({{"name", each.name}, {"share", each.share}});
  return {{"device_s", interval_json(details.device_s)},
          {"host_s", details.host_s},
          {"limit", limit_of(details)},
          {"device_time_by_source", std::move(by_source)},
          {"foreign_operations", std::move(foreign)}};
}

Json contexts_json(const std::vector<ContextCost>& contexts) {
  Json list = Json::array();
  for (const ContextCost& each : contexts)
    list.push_back({{"context", each.context},
                    {"energy_j_per_token", interval_json(each.energy_j_per_token)},
                    {"time_s", interval_json(each.time_s)}});
  return list;
}

Json batch_json(const GenerationCost& cost) {
  Json json{{"batch", cost.batch},
            {"energy_j_per_prompt_token", interval_json(cost.energy_j_per_prompt_token)},
            {"energy_j_per_new_token", interval_or_null(cost.energy_j_per_new_token)},
            {"time_to_first_token_s", interval_json(cost.first_token_s)},
            {"time_between_tokens_s", interval_or_null(cost.between_tokens_s)},
            {"time_of_slowest_token_s", interval_or_null(cost.slowest_token_s)},
            {"prefill_energy_j", interval_json(cost.prefill_j)},
            {"decode_energy_j", interval_or_null(cost.decode_j)},
            {"energy_j", interval_json(cost.energy_j)},
            {"time_s", interval_json(cost.time_s)}};
  json["contexts"] = contexts_json(cost.contexts);
  json["interpolation_error"] = or_null(cost.interpolation_error);
  json["peak_memory_bytes"] = or_null(cost.peak_bytes);
  json["cache_bytes"] = or_null(cost.cache_bytes);
  json["prefill"] = call_cost_json(cost.prefill);
  json["decode"] = cost.decode ? call_cost_json(*cost.decode) : Json(nullptr);
  json["inside"] = {{"between_tokens", standing_or_null(cost.between_tokens)},
                    {"first_token", standing_or_null(cost.to_first_token)},
                    {"memory", standing_or_null(cost.memory)}};
  json["rank"] = cost.rank > 0 ? Json(cost.rank) : Json(nullptr);
  return json;
}

Json at_hand_json(const SeenAtHand& seen) {
  Json host = Json::array();
  for (const HostLook& look : seen.host)
    host.push_back({{"call", generation_step_json(look.call)},
                    {"times", look.times},
                    {"time_s", quantity_json(look.time_s)},
                    {"energy_j", quantity_json(look.energy_j)},
                    {"used", look.is_used}});
  return {{"timed_operations", seen.timed_operations}, {"host", std::move(host)}};
}

Json seconds_or_null(const std::optional<Seconds>& time) {
  return time ? Json(time->count()) : Json(nullptr);
}

}  // namespace

Json generation_json(const GenerationTask& task, const GenerationAnswer& answer) {
  const GenerationCosts& costs = answer.costs;
  const ProfileRow& row = answer.profile.row;
  const auto batch_at = [&](const std::optional<std::size_t>& index) {
    return index ? Json(costs.batches[*index].batch) : Json(nullptr);
  };
  Json batches = Json::array();
  for (const GenerationCost& cost : costs.batches) batches.push_back(batch_json(cost));
  return {{"model", answer.name},
          {"mode", "generation"},
          {"prompt", task.prompt},
          {"new_tokens", task.new_tokens},
          {"number_format", answer.number_format},
          {"confidence", task.confidence},
          {"method", answer.method},
          {"device", device_brief_json(row.device)},
          {"profile", profile_name(row)},
          {"profiled",
           {{"date", answer.profiled_at},
            {"framework", row.device.framework},
            {"driver", row.device.driver},
            {"shipped", !row.shipped.empty()}}},
          {"source", to_string(answer.source)},
          {"at_hand", answer.at_hand ? at_hand_json(*answer.at_hand) : Json(nullptr)},
          {"limits",
           {{"between_tokens_s", seconds_or_null(task.most_between_tokens)},
            {"first_token_s", seconds_or_null(task.most_to_first_token)},
            {"memory_bytes", or_null(task.memory_bytes)}}},
          {"batches", std::move(batches)},
          {"best_batch", batch_at(costs.best)},
          {"why_no_best", costs.best ? Json(nullptr) : Json(costs.why_no_best)},
          {"best_batch_by_means", batch_at(costs.maybe_best)},
          {"warnings", costs.warnings}};
}

}  // namespace ampere
