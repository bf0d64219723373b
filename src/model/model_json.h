// Model files inside larger JSON documents.
#pragma once

#include "ampere/model.h"
#include "base/json.h"

namespace ampere {

Json model_json(const Model& model);
Model read_model(const JsonField& json);

}  // namespace ampere
