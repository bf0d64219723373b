// What a training costs, in the forms that other programs read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ampere/session.h"
#include "ampere/units.h"

namespace ampere {

// Energy and time of a whole training or command, however they became known.
struct Footprint {
  std::string name;    // of the network or the command
  std::string device;  // "NVIDIA H200"
  bool is_gpu = false;
  double energy_j = 0, time_s = 0;
  std::optional<Interval> energy_interval_j;  // of an estimate
  std::optional<std::int64_t> iterations;
  bool estimated = false;  // before it was run
  Source source =
      Source::measured;  // of the numbers, or of the profile that they were estimated from
};
// "measured", "modelled" or "simulated"; of an estimate "estimated from a measured profile" …
std::string how_known(const Footprint& footprint);

// By the name of the meter: whether it measures a GPU and nothing else.
bool measures_gpu(const std::string& meter);

// What only the user can say. Nothing of it is assumed.
struct ExportTerms {
  std::optional<double> carbon_g_per_kwh;
  std::string location;       // "Quebec, Canada"
  std::string training_type;  // "pre-training" or "fine-tuning"
};

enum class ExportKind {
  model_card,  // the section co2_eq_emissions of a model card of Hugging Face
  codecarbon,  // a row of the emissions.csv of CodeCarbon
  mlflow,      // the metrics, parameters and tags of a run of MLflow
};
const char* to_string(ExportKind kind);
ExportKind parse_export_kind(const std::string& text);  // throws Error(usage) with the nearest name

// What is missing for it among the terms; empty when nothing is. The carbon intensity for a model
// card and for CodeCarbon; for a model card also the place and the type of training.
std::vector<std::string> missing_terms(ExportKind kind, const ExportTerms& terms);

// Before anything is measured: throws Error(usage) where there is a file that no row can be added
// to.
void check_export(ExportKind kind, const std::string& path);

// Writes the file, or adds a row to an emissions.csv that is there, in the order of its columns.
// Returns what is said of the energy and has no column there; empty where nothing is left out.
// Throws Error(usage) when terms are missing, and as check_export() does, and Error(failed) when it
// cannot be written.
std::string write_export(ExportKind kind, const std::string& path, const Footprint& footprint,
                         const ExportTerms& terms);

}  // namespace ampere
