#pragma once

#include "ampere/decide.h"

namespace ampere {

// Fills in everything that follows from costs and limits: standings, ranks and the best batch.
void find_best_batch(GenerationCosts& costs, const GenerationTask& task);

}  // namespace ampere
