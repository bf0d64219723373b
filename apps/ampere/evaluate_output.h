// Evaluations as a table for people, and what they say together as JSON for programs.
#pragma once

#include <span>

#include "ampere/evaluate.h"
#include "base/json.h"

namespace ampere {

// The scores of a pooled evaluation (evaluate.h).
Json summary_json(const Evaluation& pooled);

// With a summary over all families where inference of several was evaluated.
void print_evaluations(std::span<const Evaluation> evaluations);

}  // namespace ampere
