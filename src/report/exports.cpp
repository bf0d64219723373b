#include "report/exports.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <vector>

#include "ampere/error.h"
#include "base/csv.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/json_text.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "report/estimate_json.h"

namespace ampere {
namespace {

constexpr std::array kKinds{ExportKind::model_card, ExportKind::codecarbon, ExportKind::mlflow};
constexpr double kGramsPerKilogram = 1000;

double kwh_of(const Footprint& footprint) { return footprint.energy_j / kJoulesPerKwh; }

double grams_of(const Footprint& footprint, const ExportTerms& terms) {
  return kwh_of(footprint) * *terms.carbon_g_per_kwh;
}

// A text in YAML, which takes JSON's.
std::string quoted(const std::string& text) { return json_text(Json(text)); }

std::string model_card(const Footprint& footprint, const ExportTerms& terms) {
  const std::string source =
      fmt::format("ampere: energy {}, {:.6g} kWh; carbon intensity {:g} g/kWh as given",
                  how_known(footprint), kwh_of(footprint), *terms.carbon_g_per_kwh);
  return fmt::format(
      "co2_eq_emissions:\n"
      "  emissions: {:.6g}\n"
      "  source: {}\n"
      "  training_type: {}\n"
      "  geographical_location: {}\n"
      "  hardware_used: {}\n",
      grams_of(footprint, terms), quoted(source), quoted(terms.training_type),
      quoted(terms.location), quoted(footprint.device));
}

// The columns of CodeCarbon 2.3 and 2.4, and one of ours at the end.
constexpr const char* kColumns =
    "timestamp,project_name,run_id,duration,emissions,emissions_rate,cpu_power,gpu_power,ram_power,"
    "cpu_energy,gpu_energy,ram_energy,energy_consumed,country_name,country_iso_code,region,"
    "cloud_provider,cloud_region,os,python_version,codecarbon_version,cpu_count,cpu_model,gpu_"
    "count,"
    "gpu_model,longitude,latitude,ram_total_size,tracking_mode,on_cloud,pue,energy_source";

std::string number_text(double value) { return fmt::format("{:.9g}", value); }

// Cells stay empty where nothing is known; a table reads them as missing, never as 0.
std::string codecarbon_row(const Footprint& footprint, const ExportTerms& terms) {
  const std::string now = utc_now();
  const double kilograms = grams_of(footprint, terms) / kGramsPerKilogram;
  const double watts = footprint.energy_j / footprint.time_s;
  const std::string gpu_only = footprint.is_gpu ? number_text(kwh_of(footprint)) : "";
  std::vector<std::string> cells{now.substr(0, now.find('Z')),
                                 footprint.name,
                                 hash_text(now + footprint.name + number_text(footprint.energy_j)),
                                 number_text(footprint.time_s),
                                 number_text(kilograms),
                                 number_text(kilograms / footprint.time_s),
                                 "",
                                 footprint.is_gpu ? number_text(watts) : "",
                                 "",
                                 "",
                                 gpu_only,
                                 "",
                                 number_text(kwh_of(footprint)),
                                 terms.location};
  cells.resize(split(kColumns, ',').size());
  if (footprint.is_gpu) cells[24] = footprint.device;
  cells.back() = how_known(footprint);
  for (std::string& cell : cells) cell = csv_cell(cell);
  return fmt::format("{}", fmt::join(cells, ","));
}

std::string codecarbon(const std::string& path, const Footprint& footprint,
                       const ExportTerms& terms) {
  std::string before = std::string(kColumns) + "\n";
  std::error_code none;
  if (std::filesystem::exists(path, none)) {
    before = read_text_file(path);
    const std::string head(trim(before.substr(0, before.find('\n'))));
    if (head != kColumns)
      throw Error(
          ErrorCode::usage,
          fmt::format("{}: has other columns than a file of this kind; give another path", path));
    if (!before.ends_with('\n')) before += '\n';
  }
  return before + codecarbon_row(footprint, terms) + "\n";
}

// What MLflow's log-batch takes, without the id of the run.
std::string mlflow(const Footprint& footprint, const ExportTerms& terms) {
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
  Json metrics = Json::array();
  const auto add = [&](const char* key, double value) {
    metrics.push_back({{"key", key}, {"value", value}, {"timestamp", now}, {"step", 0}});
  };
  add("energy_j", footprint.energy_j);
  add("energy_kwh", kwh_of(footprint));
  add("time_s", footprint.time_s);
  if (footprint.energy_interval_j) {
    add("energy_j_low", footprint.energy_interval_j->low);
    add("energy_j_high", footprint.energy_interval_j->high);
  }
  if (terms.carbon_g_per_kwh) add("co2_eq_g", grams_of(footprint, terms));
  Json params = Json::array(), tags = Json::array();
  params.push_back({{"key", "network"}, {"value", footprint.name}});
  if (footprint.iterations)
    params.push_back({{"key", "iterations"}, {"value", std::to_string(*footprint.iterations)}});
  if (terms.carbon_g_per_kwh)
    params.push_back(
        {{"key", "carbon_g_per_kwh"}, {"value", fmt::format("{:g}", *terms.carbon_g_per_kwh)}});
  if (footprint.energy_interval_j)
    params.push_back({{"key", "confidence"},
                      {"value", fmt::format("{:g}", footprint.energy_interval_j->confidence)}});
  tags.push_back({{"key", "ampere.energy_source"}, {"value", how_known(footprint)}});
  tags.push_back({{"key", "ampere.device"}, {"value", footprint.device}});
  return json_text(Json{{"metrics", metrics}, {"params", params}, {"tags", tags}}) + "\n";
}

}  // namespace

std::string how_known(const Footprint& footprint) {
  const std::string source = to_string(footprint.source);
  return footprint.estimated ? fmt::format("estimated from a {} profile", source) : source;
}

bool measures_gpu(const std::string& meter) {
  return meter.starts_with("nvml") && meter.find('+') == std::string::npos;
}

const char* to_string(ExportKind kind) {
  switch (kind) {
    case ExportKind::model_card:
      return "model-card";
    case ExportKind::codecarbon:
      return "codecarbon";
    case ExportKind::mlflow:
      return "mlflow";
  }
  return "";
}

ExportKind parse_export_kind(const std::string& text) {
  std::vector<std::string> names;
  for (const ExportKind kind : kKinds) {
    if (text == to_string(kind)) return kind;
    names.emplace_back(to_string(kind));
  }
  throw Error(ErrorCode::usage, fmt::format("no export is called '{}'{} (there are: {})", text,
                                            suggestion(text, names), fmt::join(names, ", ")));
}

std::vector<std::string> missing_terms(ExportKind kind, const ExportTerms& terms) {
  std::vector<std::string> missing;
  if (kind == ExportKind::mlflow) return missing;
  if (!terms.carbon_g_per_kwh) missing.emplace_back("the carbon intensity");
  if (kind == ExportKind::codecarbon) return missing;
  if (terms.location.empty()) missing.emplace_back("the location");
  if (terms.training_type.empty()) missing.emplace_back("the training type");
  return missing;
}

void write_export(ExportKind kind, const std::string& path, const Footprint& footprint,
                  const ExportTerms& terms) {
  if (const auto missing = missing_terms(kind, terms); !missing.empty())
    throw Error(ErrorCode::usage, fmt::format("{}: {} must be given, and is never assumed",
                                              to_string(kind), fmt::join(missing, " and ")));
  switch (kind) {
    case ExportKind::model_card:
      return write_whole_file(path, model_card(footprint, terms));
    case ExportKind::codecarbon:
      return write_whole_file(path, codecarbon(path, footprint, terms));
    case ExportKind::mlflow:
      return write_whole_file(path, mlflow(footprint, terms));
  }
}

}  // namespace ampere
