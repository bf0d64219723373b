// One number for how efficient a device is at inference, from what reference networks cost on it.
// The scores are ampere's own (docs/scores.md): DeepEn2023, which introduced their names, does not
// give its formulas.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ampere/measurement.h"
#include "ampere/meter.h"
#include "ampere/model.h"

namespace ampere {

// What one inference of one network costs on one device, run one way (CPU1, GPU, …).
struct ScoreCell {
  std::string device, delegate, network;
  std::optional<double> energy_j, power_w, latency_s;  // absent: not measured, or it does not run
  Source source = Source::measured;
  std::string reason = {};  // why nothing is there
};

// One machine, run one way. Cells of all its delegates belong to one device, whatever the rigs call
// theirs.
struct ScoreTask {
  std::string device, delegate;
  std::vector<Model> networks;
  Precision precision;
  bool afresh = false;  // measures again what is in the store
};

// One cell per row: device, delegate, network; energy_j, power_w, latency_s or their thousandths
// (energy_mj, …); source. Empty cells are absent. `columns` maps other names as ImportOptions does:
// "energy_j=energy_per_inference_j". `source` is that of rows that do not say theirs. Throws
// Error(usage) naming the line for what is not positive, for a cell that is there twice, for a cost
// whose source nobody says and for a table without energies and powers.
std::vector<ScoreCell> parse_score_table(std::string_view csv, const std::string& origin,
                                         const std::string& columns = "",
                                         std::optional<Source> source = std::nullopt);
std::string export_score_table(const std::vector<ScoreCell>& cells);  // reads back exactly

// A cell of the reference that has no part in a score.
struct MissingCell {
  std::string network, delegate;
  std::string reason;
};

struct Score {
  std::optional<double> value;       // the reference device has 100; higher is better
  int shared = 0;                    // cells it is made of: those that both devices have
  std::string reason;                // why there is no value
  std::vector<MissingCell> missing;  // by network and delegate
  int set_aside = 0;                 // of these: both have them, by different sources
};

struct DeviceScore {
  std::string device;
  Score iecs;  // 100 · geometric mean of energy_reference / energy
  Score pcs;   // 100 · geometric mean of power_reference / power
};

struct ScoreOptions {
  std::string reference;     // a device of the table; empty: the first
  double least_share = 0.5;  // of the reference's cells that a device must have,
  int least_cells = 3;       // and never fewer than this
  // Compares cells by different sources all the same: measured with modelled or simulated ones.
  bool mixed = false;
};

// Devices in the order of their IECS, best first, those without one last. Throws Error(unknown)
// when the reference is not in the table, Error(usage) for an empty table.
std::vector<DeviceScore> score_devices(const std::vector<ScoreCell>& cells,
                                       const ScoreOptions& options = {});

// The two scores as formulas, for people.
std::string score_formula();

// How a device's scores come about, cell by cell, for people. Throws as score_devices, and
// Error(unknown) for a device that is not in the table.
std::string explain_score(const std::vector<ScoreCell>& cells, const std::string& device,
                          const ScoreOptions& options = {});

}  // namespace ampere
