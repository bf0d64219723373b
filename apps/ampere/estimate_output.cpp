#include "estimate_output.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "base/text.h"
#include "print.h"
#include "record/record_json.h"

namespace ampere {
namespace {

constexpr double kJoulesPerKwh = 3.6e6;

double amount_before(std::string_view& text, std::string_view unit) {
  const double value = parse_number(text.substr(0, text.size() - unit.size()), "--battery");
  if (!(value > 0))
    throw Error(ErrorCode::usage, fmt::format("--battery: {} is not positive", text));
  return value;
}

Json quantity_json(const std::optional<Quantity>& quantity) {
  if (!quantity) return nullptr;
  return {{"mean", quantity->mean}, {"stddev", quantity->stddev}};
}

Json interval_json(const std::optional<Interval>& interval, double scale = 1) {
  if (!interval) return nullptr;
  return {{"mean", interval->mean * scale},
          {"stddev", interval->stddev * scale},
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
  const Measurement& measured = *report.checked;
  const auto compare = [](const Statistic& statistic,
                          const std::optional<Quantity>& estimated) -> Json {
    return {
        {"mean", statistic.mean},
        {"standard_error", statistic.standard_error},
        {"relative_error_of_estimate",
         estimated ? Json((estimated->mean - statistic.mean) / statistic.mean) : Json(nullptr)}};
  };
  return {{"source", to_string(measured.source)},
          {"energy_j_per_iteration",
           compare(measured.energy_j, report.estimate.energy_j_per_iteration)},
          {"time_s_per_iteration", compare(measured.time_s, report.estimate.time_s_per_iteration)},
          {"notes", measured.notes}};
}

void print_interval(const char* name, const std::optional<Interval>& total,
                    const std::optional<Quantity>& each, const char* unit) {
  if (!total) {
    fmt::print("{:<8}unavailable: a part of the network is not covered\n", name);
    return;
  }
  fmt::print("{:<8}{}   ({:.0f} % interval {} to {})   {} an iteration\n", name,
             with_unit(total->mean, unit), total->confidence * 100, with_unit(total->low, unit),
             with_unit(total->high, unit), with_unit(each->mean, unit));
}

void print_parts(const Estimate& estimate) {
  std::vector<std::vector<std::string>> rows{
      {"part", "role", "features", "count", "energy/it.", "±", "share", "time/it.", ""}};
  double whole = 0;
  for (const Part& part : estimate.parts) whole += part.energy_j.mean;
  for (const Part& part : estimate.parts)
    rows.push_back({part.title, to_string(part.role),
                    feature_text(part.feature_names, part.features), std::to_string(part.count),
                    with_unit(part.energy_j.mean, "J"), with_unit(part.energy_j.stddev, "J"),
                    percent(part.energy_j.mean / whole), with_unit(part.time_s.mean, "s"),
                    part.extrapolated ? "extrapolated" : ""});
  print_table(rows);
}

void print_check(const char* name, const Statistic& measured,
                 const std::optional<Quantity>& estimated, const std::optional<Interval>& total,
                 double iterations, const char* unit, std::vector<std::vector<std::string>>& rows) {
  if (!estimated) return;
  const bool inside =
      total->low <= measured.mean * iterations && measured.mean * iterations <= total->high;
  rows.push_back({fmt::format("{} an iteration", name), with_unit(estimated->mean, unit),
                  with_unit(measured.mean, unit),
                  fmt::format("{:+.1f} %", (estimated->mean - measured.mean) / measured.mean * 100),
                  inside ? "inside" : "outside"});
}

void print_checked(const EstimateReport& report) {
  const Measurement& measured = *report.checked;
  const auto iterations = static_cast<double>(report.workload.iterations);
  std::vector<std::vector<std::string>> rows{
      {"trained for real", "estimated", to_string(measured.source), "difference", "interval"}};
  print_check("energy", measured.energy_j, report.estimate.energy_j_per_iteration,
              report.estimate.energy_j, iterations, "J", rows);
  print_check("time", measured.time_s, report.estimate.time_s_per_iteration, report.estimate.time_s,
              iterations, "s", rows);
  fmt::print("\n");
  print_table(rows);
  for (const std::string& note : measured.notes) fmt::print("note: {}\n", note);
}

void print_conversions(const Interval& energy, const Conversions& conversions) {
  if (conversions.battery_j)
    fmt::print("battery {} of one charge ({} to {})\n",
               percent(energy.mean / *conversions.battery_j),
               percent(energy.low / *conversions.battery_j),
               percent(energy.high / *conversions.battery_j));
  if (conversions.carbon_g_per_kwh)
    fmt::print("carbon  {}\n",
               with_unit(energy.mean / kJoulesPerKwh * *conversions.carbon_g_per_kwh, "g"));
  if (conversions.price_per_kwh)
    fmt::print("price   {:.4g}\n", energy.mean / kJoulesPerKwh * *conversions.price_per_kwh);
}

}  // namespace

double parse_battery(const std::string& text) {
  std::string_view view = text;
  if (view.ends_with("Wh")) return amount_before(view, "Wh") * 3600;
  if (view.ends_with("J")) return amount_before(view, "J");
  const std::size_t at = view.find("mAh@");
  if (at == std::string_view::npos || !view.ends_with("V"))
    throw Error(ErrorCode::usage,
                fmt::format("--battery: '{}' is not like 4500mAh@3.85V, 50Wh or 180000J", text));
  std::string_view charge = view.substr(0, at + 3), volts = view.substr(at + 4);
  return amount_before(charge, "mAh") * 3.6 * amount_before(volts, "V");
}

Json estimate_json(const EstimateReport& report, const Conversions& conversions) {
  const Estimate& estimate = report.estimate;
  Json json{{"model", report.model},
            {"batch", report.setup.batch},
            {"iterations", report.workload.iterations},
            {"method", report.method},
            {"mode", "training"},
            {"device", device_brief_json(report.profile->device)},
            {"profile", std::to_string(report.profile->id)},
            {"source", to_string(estimate.source)},
            {"energy_j", interval_json(estimate.energy_j)},
            {"energy_j_per_iteration", quantity_json(estimate.energy_j_per_iteration)},
            {"time_s", interval_json(estimate.time_s)},
            {"time_s_per_iteration", quantity_json(estimate.time_s_per_iteration)},
            {"parts", Json::array()},
            {"uncovered", Json::array()},
            {"warnings", estimate.warnings},
            {"advice", estimate.advice}};
  for (const Part& part : estimate.parts) json["parts"].push_back(part_json(part));
  for (const Uncovered& uncovered : estimate.uncovered)
    json["uncovered"].push_back({{"layer", uncovered.layer}, {"reason", uncovered.reason}});
  if (conversions.battery_j)
    json["battery_share"] = interval_json(estimate.energy_j, 1 / *conversions.battery_j);
  if (conversions.carbon_g_per_kwh)
    json["carbon_g"] =
        interval_json(estimate.energy_j, *conversions.carbon_g_per_kwh / kJoulesPerKwh);
  if (conversions.price_per_kwh)
    json["price"] = interval_json(estimate.energy_j, *conversions.price_per_kwh / kJoulesPerKwh);
  if (report.checked) json["checked"] = checked_json(report);
  return json;
}

void print_estimate(const EstimateReport& report, const Conversions& conversions) {
  const Estimate& estimate = report.estimate;
  fmt::print("{}: {}, {} iterations on {} (profile {}, {}, method {})\n", report.model,
             to_string(report.setup), report.workload.iterations, report.profile->device.name,
             report.profile->id, to_string(estimate.source), report.method);
  print_interval("energy", estimate.energy_j, estimate.energy_j_per_iteration, "J");
  print_interval("time", estimate.time_s, estimate.time_s_per_iteration, "s");
  if (estimate.energy_j) print_conversions(*estimate.energy_j, conversions);
  if (!estimate.parts.empty()) {
    fmt::print("\n");
    print_parts(estimate);
  }
  for (const Uncovered& uncovered : estimate.uncovered)
    fmt::print("not covered: {}: {}\n", uncovered.layer, uncovered.reason);
  for (const std::string& warning : estimate.warnings) fmt::print("warning: {}\n", warning);
  for (const std::string& advice : estimate.advice) fmt::print("advice: {}\n", advice);
  if (report.checked) print_checked(report);
}

}  // namespace ampere
