// Scores as tables for people and as JSON for programs.
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
  int measured = 0;                  // cells that were measured now
  std::vector<std::string> explain;  // devices whose scores are explained
};

Json score_json(const ScoreReport& report);
void print_scores(const ScoreReport& report);

}  // namespace ampere
