// Evaluations as a table for people and as JSON for programs.
#pragma once

#include <span>

#include "ampere/evaluate.h"
#include "base/json.h"

namespace ampere {

Json evaluation_json(const Evaluation& evaluation);
void print_evaluations(std::span<const Evaluation> evaluations);

}  // namespace ampere
