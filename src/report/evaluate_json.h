// An evaluation with its scores as JSON, for programs and pictures.
#pragma once

#include "ampere/evaluate.h"
#include "base/json.h"

namespace ampere {

Json accuracy_fields(const std::optional<Accuracy>& accuracy);  // null without one
Json evaluation_json(const Evaluation& evaluation);

}  // namespace ampere
