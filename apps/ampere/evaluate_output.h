// Evaluations as a text table, and their summary as JSON.
#pragma once

#include <span>

#include "ampere/evaluate.h"
#include "base/json.h"

namespace ampere {

// The scores of a pooled evaluation (evaluate.h).
Json summary_json(const Evaluation& pooled);

// Adds a summary over all families where inference of several families was evaluated.
void print_evaluations(std::span<const Evaluation> evaluations);

}  // namespace ampere
