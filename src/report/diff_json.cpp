#include "report/diff_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ampere/error.h"
#include "base/or_null.h"
#include "base/quantity_json.h"
#include "base/stats.h"
#include "base/text.h"
#include "record/record_json.h"
#include "report/estimate_json.h"

namespace ampere {
namespace {

constexpr std::array kQuantities{DiffQuantity::energy, DiffQuantity::time, DiffQuantity::memory,
                                 DiffQuantity::parameters};

std::optional<double> change_of(const std::optional<double>& before,
                                const std::optional<double>& after) {
  if (!before || !after || !(*before > 0)) return std::nullopt;
  return *after / *before - 1;
}

std::optional<double> mean_of(const std::optional<Quantity>& quantity) {
  return quantity ? std::optional(quantity->mean) : std::nullopt;
}

std::optional<double> as_double(const std::optional<std::int64_t>& value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

// The interval of the difference as shares of what was before.
std::optional<std::pair<double, double>> relative_interval(const Diff& diff,
                                                           DiffQuantity quantity) {
  const Estimate& before = diff.before.estimate;
  const bool energy = quantity == DiffQuantity::energy;
  if (!energy && quantity != DiffQuantity::time) return std::nullopt;
  const auto& interval = energy ? diff.energy_j : diff.time_s;
  const auto mean = mean_of(energy ? before.energy_j_per_iteration : before.time_s_per_iteration);
  if (!interval || !mean || !(*mean > 0)) return std::nullopt;
  return std::pair{interval->low / *mean, interval->high / *mean};
}

Json side_json(const std::string& name, const Estimate& estimate, std::int64_t parameters,
               const std::optional<std::int64_t>& memory) {
  Json uncovered = Json::array();
  for (const Uncovered& each : estimate.uncovered)
    uncovered.push_back({{"layer", each.layer}, {"reason", each.reason}});
  return {{"name", name},
          {"energy_j_per_iteration", quantity_json(estimate.energy_j_per_iteration)},
          {"time_s_per_iteration", quantity_json(estimate.time_s_per_iteration)},
          {"parameters", parameters},
          {"peak_memory_bytes", or_null(memory)},
          {"uncovered", std::move(uncovered)}};
}

Json interval_json(const Diff& diff, const std::optional<Interval>& interval,
                   DiffQuantity quantity) {
  if (!interval) return nullptr;
  Json json{{"mean", interval->mean},
            {"low", interval->low},
            {"high", interval->high},
            {"confidence", interval->confidence},
            {"relative", or_null(relative_change(diff, quantity))}};
  const auto relative = relative_interval(diff, quantity);
  json["relative_low"] = relative ? Json(relative->first) : Json();
  json["relative_high"] = relative ? Json(relative->second) : Json();
  return json;
}

Json number_json(const Diff& diff, const std::optional<double>& before,
                 const std::optional<double>& after, DiffQuantity quantity) {
  if (!before || !after) return nullptr;
  return {{"difference", *after - *before}, {"relative", or_null(relative_change(diff, quantity))}};
}

Json parts_json(const std::vector<PartDifference>& parts) {
  Json list = Json::array();
  for (const PartDifference& part : parts)
    list.push_back({{"name", part.name},
                    {"change", to_string(part.change)},
                    {"before", part.before.empty() ? Json() : Json(part.before)},
                    {"after", part.after.empty() ? Json() : Json(part.after)},
                    {"calls_before", part.calls_before},
                    {"calls_after", part.calls_after},
                    {"energy_j_before", part.energy_before_j},
                    {"energy_j_after", part.energy_after_j},
                    {"time_s_before", part.time_before_s},
                    {"time_s_after", part.time_after_s}});
  return list;
}

Json at_hand_json(const std::optional<Diff::AtHand>& seen) {
  if (!seen) return nullptr;
  return {{"timed_operations", seen->timed_operations},
          {"measured_operations", seen->measured_operations},
          {"host_looks", seen->host_looks},
          {"host_slowdown", or_null(seen->host_slowdown)},
          {"before_measured", seen->before_energy_j.has_value()}};
}

// One of both sides, as it was measured in each round.
Json rounds_json(const DiffCheck::Rounds& rounds) {
  const auto values = [](const std::vector<double>& each) -> Json {
    return {{"mean", mean(each)}, {"rounds", each}};
  };
  return {{"energy_j_per_iteration", values(rounds.energy_j)},
          {"time_s_per_iteration", values(rounds.time_s)}};
}

Json measured_difference_json(const Interval& measured, const std::vector<double>& before,
                              bool inside) {
  return {{"mean", measured.mean},
          {"low", measured.low},
          {"high", measured.high},
          {"confidence", measured.confidence},
          {"relative", measured.mean / mean(before)},
          {"inside", inside}};
}

Json checked_json(const std::optional<DiffCheck>& check) {
  if (!check) return nullptr;
  return {
      {"source", to_string(check->source)},
      {"before", rounds_json(check->before)},
      {"after", rounds_json(check->after)},
      {"difference",
       {{"energy_j_per_iteration",
         measured_difference_json(check->energy_j, check->before.energy_j, check->energy_inside)},
        {"time_s_per_iteration",
         measured_difference_json(check->time_s, check->before.time_s, check->time_inside)}}},
      {"notes", check->notes}};
}

}  // namespace

const char* to_string(DiffQuantity quantity) {
  switch (quantity) {
    case DiffQuantity::energy:
      return "energy";
    case DiffQuantity::time:
      return "time";
    case DiffQuantity::memory:
      return "memory";
    case DiffQuantity::parameters:
      return "parameters";
  }
  return "";
}

DiffQuantity parse_diff_quantity(const std::string& text) {
  std::vector<std::string> names;
  for (const DiffQuantity quantity : kQuantities) {
    if (text == to_string(quantity)) return quantity;
    names.emplace_back(to_string(quantity));
  }
  throw Error(ErrorCode::usage, fmt::format("'{}' is not energy, time, memory or parameters{}",
                                            text, suggestion(text, names)));
}

std::optional<double> relative_change(const Diff& diff, DiffQuantity quantity) {
  const Estimate &before = diff.before.estimate, &after = diff.after.estimate;
  switch (quantity) {
    case DiffQuantity::energy:
      return change_of(mean_of(before.energy_j_per_iteration),
                       mean_of(after.energy_j_per_iteration));
    case DiffQuantity::time:
      return change_of(mean_of(before.time_s_per_iteration), mean_of(after.time_s_per_iteration));
    case DiffQuantity::memory:
      return change_of(as_double(diff.memory_before), as_double(diff.memory_after));
    case DiffQuantity::parameters:
      return change_of(as_double(diff.parameters_before), as_double(diff.parameters_after));
  }
  return std::nullopt;
}

DiffLimit parse_diff_limit(const std::string& text) {
  DiffLimit limit;
  limit.text = text;
  std::string_view rest = text;
  if (const std::size_t equals = text.find('='); equals != std::string::npos) {
    limit.quantity = parse_diff_quantity(text.substr(0, equals));
    rest.remove_prefix(equals + 1);
  }
  if (!rest.ends_with('%'))
    throw Error(ErrorCode::usage,
                fmt::format("'{}' is not a limit such as +5% or time=+10%", text));
  rest.remove_suffix(1);
  if (rest.starts_with('+')) rest.remove_prefix(1);
  limit.share = parse_number(rest, fmt::format("the limit '{}'", text)) / 100;
  return limit;
}

std::vector<JudgedLimit> judge_limits(const Diff& diff, const std::vector<DiffLimit>& limits) {
  std::vector<JudgedLimit> judged;
  for (const DiffLimit& limit : limits) {
    const std::optional<double> change = relative_change(diff, limit.quantity);
    if (!change)
      throw Error(ErrorCode::unknown,
                  fmt::format("the limit {}: the {} of both is not known{}", limit.text,
                              to_string(limit.quantity),
                              diff.no_memory.empty() ? "" : ": " + diff.no_memory));
    JudgedLimit one{limit, *change, *change > limit.share, true};
    if (const auto interval = relative_interval(diff, limit.quantity))
      one.certain = one.exceeded ? interval->first > limit.share : interval->second <= limit.share;
    judged.push_back(std::move(one));
  }
  return judged;
}

Json diff_json(const DiffReport& report) {
  const Diff& diff = report.diff;
  const ProfileRow& row = diff.after.profile.row;
  const Estimate &before = diff.before.estimate, &after = diff.after.estimate;
  std::vector<std::string> warnings = after.warnings;
  for (const std::string& warning : before.warnings)
    if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
  Json limits = Json::array();
  for (const JudgedLimit& each : report.limits)
    limits.push_back({{"quantity", to_string(each.limit.quantity)},
                      {"limit", each.limit.share},
                      {"change", each.change},
                      {"exceeded", each.exceeded},
                      {"certain", each.certain}});
  return {
      {"before", side_json(report.before, before, diff.parameters_before, diff.memory_before)},
      {"after", side_json(report.after, after, diff.parameters_after, diff.memory_after)},
      {"difference",
       {{"energy_j_per_iteration", interval_json(diff, diff.energy_j, DiffQuantity::energy)},
        {"time_s_per_iteration", interval_json(diff, diff.time_s, DiffQuantity::time)},
        {"peak_memory_bytes", number_json(diff, as_double(diff.memory_before),
                                          as_double(diff.memory_after), DiffQuantity::memory)},
        {"parameters", number_json(diff, as_double(diff.parameters_before),
                                   as_double(diff.parameters_after), DiffQuantity::parameters)}}},
      {"no_memory", diff.no_memory.empty() ? Json() : Json(diff.no_memory)},
      {"method", diff.after.method},
      {"device", device_brief_json(row.device)},
      {"profile", profile_name(row)},
      {"source", to_string(std::max(before.source, after.source))},
      {"related", diff.related},
      {"timed_operations", diff.at_hand ? Json(diff.at_hand->timed_operations) : Json()},
      {"at_hand", at_hand_json(diff.at_hand)},
      {"parts", parts_json(diff.parts)},
      {"operations", parts_json(diff.operations)},
      {"limits", std::move(limits)},
      {"checked", checked_json(report.checked)},
      {"warnings", warnings}};
}

}  // namespace ampere
