// Measuring kernels in rounds, each where the predictors of the one before were furthest off.
#pragma once

#include <functional>

#include "method/kernels/survey/measurer.h"
#include "method/kernels/survey/pool.h"

namespace ampere {

struct RoundsResult {
  int rounds = 0, chosen = 0;
  std::vector<std::string> warnings;
};

// Chooses by what this very sequence measured, whatever else the store has: so the same kernels
// come in the same order when it is begun again.
RoundsResult measure_in_rounds(std::vector<TypePool> pools, Measurer& measurer,
                               const SurveyOptions& options,
                               const std::function<void(const SurveyProgress&)>& progress);

// A kernel's row of a table; nothing where it failed.
std::optional<TableRow> row_of(const Kernel& kernel, const Observation& observation);

}  // namespace ampere
