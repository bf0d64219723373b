#include "report/width_cost_json.h"

#include <fmt/format.h>

#include <cmath>

#include "ampere/error.h"
#include "base/packed.h"
#include "base/quantity_json.h"
#include "record/record_json.h"
#include "report/estimate_json.h"

namespace ampere {
namespace {

std::vector<double> points_of(const Json& request, std::size_t widths) {
  if (request.contains("packed")) {
    if (!request.at("packed").is_string())
      throw Error(ErrorCode::usage, "packed: is not a text of doubles in base64");
    return unpack_doubles(request.at("packed").get_ref<const std::string&>());
  }
  const auto list = request.find("widths");
  if (list == request.end() || !list->is_array())
    throw Error(ErrorCode::usage, "widths: a list of points is missing");
  std::vector<double> points;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Json& point = (*list)[i];
    if (!point.is_array() || point.size() != widths)
      throw Error(ErrorCode::usage,
                  fmt::format("widths[{}]: is not a list of {} numbers", i, widths));
    for (const Json& number : point) {
      if (!number.is_number())
        throw Error(ErrorCode::usage, fmt::format("widths[{}]: has a value that is no number", i));
      points.push_back(number.get<double>());
    }
  }
  return points;
}

std::optional<double> confidence_of(const Json& request) {
  const auto found = request.find("confidence");
  if (found == request.end()) return std::nullopt;
  if (!found->is_number()) throw Error(ErrorCode::usage, "confidence: is not a number");
  return found->get<double>();
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

Json rows(const std::vector<double>& values, std::size_t size) {
  Json list = Json::array();
  for (std::size_t i = 0; i < values.size(); i += size) {
    Json row = Json::array();
    for (std::size_t j = 0; j < size; ++j) row.push_back(number(values[i + j]));
    list.push_back(std::move(row));
  }
  return list;
}

}  // namespace

Json width_cost_head(const std::string& model, const WidthCost& cost, const Answer& answer) {
  Json widths = Json::array();
  for (const ChannelGroup& width : cost.widths())
    widths.push_back(
        {{"name", width.name}, {"value", width.value}, {"multiple_of", width.multiple_of}});
  const ProfileRow& row = answer.profile.row;
  return {{"model", model},
          {"widths", std::move(widths)},
          {"method", answer.method},
          {"device", device_brief_json(row.device)},
          {"profile", profile_name(row)},
          {"source", to_string(answer.estimate.source)},
          {"energy_j_per_iteration", quantity_json(answer.estimate.energy_j_per_iteration)},
          {"warnings", answer.estimate.warnings}};
}

Json answer_width_request(const Json& request, WidthCost& cost) {
  if (!request.is_object()) throw Error(ErrorCode::usage, "a request is a JSON object");
  const std::size_t size = cost.widths().size();
  const Json gradient = request.value("gradient", Json(false));
  if (!gradient.is_boolean()) throw Error(ErrorCode::usage, "gradient: is not true or false");
  const WidthCost::Values values =
      cost.at(points_of(request, size), {gradient.get<bool>(), confidence_of(request)});
  const bool packed = request.contains("packed");
  const auto listed = [&](const std::vector<double>& each) {
    return packed ? Json(pack(std::span<const double>(each))) : numbers(each);
  };
  Json json{{"energy_j", listed(values.energy_j)},
            {"energy_sd", listed(values.energy_sd)},
            {"time_s", listed(values.time_s)}};
  if (gradient.get<bool>())
    json["gradient"] =
        packed ? Json(pack(std::span<const double>(values.gradient))) : rows(values.gradient, size);
  if (request.contains("confidence")) {
    json["energy_low_j"] = listed(values.energy_low_j);
    json["energy_high_j"] = listed(values.energy_high_j);
    json["normal_intervals"] = values.normal_intervals;
  }
  return json;
}

}  // namespace ampere
