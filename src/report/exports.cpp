#include "report/exports.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <map>
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

// The column of ours: what is measured, modelled or estimated. A file that CodeCarbon began has
// none.
constexpr const char* kSourceColumn = "energy_source";

using Row = std::map<std::string, std::string>;  // by column

// What is not in it is not known; a table reads an empty cell as missing, never as 0.
Row codecarbon_row(const Footprint& footprint, const ExportTerms& terms) {
  const std::string now = utc_now();
  const double kilograms = grams_of(footprint, terms) / kGramsPerKilogram;
  Row row{{"timestamp", now.substr(0, now.find('Z'))},
          {"project_name", footprint.name},
          {"run_id", hash_text(now + footprint.name + number_text(footprint.energy_j))},
          {"duration", number_text(footprint.time_s)},
          {"emissions", number_text(kilograms)},
          {"emissions_rate", number_text(kilograms / footprint.time_s)},
          {"energy_consumed", number_text(kwh_of(footprint))},
          {"country_name", terms.location},
          {kSourceColumn, how_known(footprint)}};
  if (footprint.is_gpu) {
    row["gpu_power"] = number_text(footprint.energy_j / footprint.time_s);
    row["gpu_energy"] = number_text(kwh_of(footprint));
    row["gpu_model"] = footprint.device;
  }
  return row;
}

// Of the file that is there, or those of a new one. Versions of CodeCarbon differ in the others.
std::vector<std::string> codecarbon_columns(const std::string& path, const std::string& text) {
  const std::string head = text.empty() ? kColumns : text.substr(0, text.find('\n'));
  std::vector<std::string> columns = parse_csv(head, path).header.cells;
  for (const char* needed : {"timestamp", "duration", "emissions", "energy_consumed"})
    if (std::ranges::find(columns, needed) == columns.end())
      throw Error(ErrorCode::usage,
                  fmt::format("{}: is no emissions file of CodeCarbon, for it has no column {}; "
                              "give another path",
                              path, needed));
  return columns;
}

std::string text_before(const std::string& path) {
  std::error_code none;
  return std::filesystem::exists(path, none) ? read_text_file(path) : "";
}

struct AddedRow {
  std::string text;      // of the whole file
  std::string left_out;  // what the file has no column for
};

AddedRow codecarbon(const std::string& path, const Footprint& footprint, const ExportTerms& terms) {
  AddedRow result{text_before(path), ""};
  const std::vector<std::string> columns = codecarbon_columns(path, result.text);
  if (result.text.empty()) result.text = kColumns;
  if (!result.text.ends_with('\n')) result.text += '\n';
  const Row row = codecarbon_row(footprint, terms);
  std::vector<std::string> cells;
  for (const std::string& column : columns) {
    const auto known = row.find(column);
    cells.push_back(known == row.end() ? "" : csv_cell(known->second));
  }
  if (std::ranges::find(columns, kSourceColumn) == columns.end()) result.left_out = kSourceColumn;
  result.text += fmt::format("{}\n", fmt::join(cells, ","));
  return result;
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

void check_export(ExportKind kind, const std::string& path) {
  if (kind == ExportKind::codecarbon) codecarbon_columns(path, text_before(path));
}

std::string write_export(ExportKind kind, const std::string& path, const Footprint& footprint,
                         const ExportTerms& terms) {
  if (const auto missing = missing_terms(kind, terms); !missing.empty())
    throw Error(ErrorCode::usage, fmt::format("{}: {} must be given, and is never assumed",
                                              to_string(kind), fmt::join(missing, " and ")));
  std::string text, left_out;
  switch (kind) {
    case ExportKind::model_card:
      text = model_card(footprint, terms);
      break;
    case ExportKind::codecarbon: {
      AddedRow added = codecarbon(path, footprint, terms);
      text = std::move(added.text);
      left_out = std::move(added.left_out);
      break;
    }
    case ExportKind::mlflow:
      text = mlflow(footprint, terms);
      break;
  }
  write_whole_file(path, text);
  return left_out;
}

}  // namespace ampere
