// Model files inside larger JSON documents.
#pragma once

#include "ampere/model.h"
#include "base/json.h"

namespace ampere {

Json model_json(const Model& model);
// Every layer also has its output's "shape" and its "weights", for those who know no shape rules
// (docs/worker-protocol.md).
Json derived_model_json(const Model& model);
Model read_model(const JsonField& json);
// The text of a model file, whose layers must all be of use. Throws Error(usage) naming the origin.
Model parse_model_file(std::string_view json, const std::string& origin);

}  // namespace ampere
