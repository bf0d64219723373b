// Scores as text tables and as JSON.
#pragma once

#include <string>
#include <vector>

#include "ampere/score.h"
#include "base/json.h"

namespace ampere {

struct ScoreReport {
  std::vector<ScoreCell> cells;  // of all devices
  ScoreOptions options;
  std::string device;                // the one that was measured; empty: none
  int measured = 0;                  // number of cells measured by this command
  std::vector<std::string> explain;  // devices whose scores are explained
};

Json score_json(const ScoreReport& report);
void print_scores(const ScoreReport& report);

}  // namespace ampere
