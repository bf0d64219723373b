// Operators as they stand in model files: the key "op" and the operator's own keys.
#pragma once

#include "ampere/layer.h"
#include "base/json.h"

namespace ampere {

// Adds "op" and what differs from the defaults to the object `json`.
void write_op(const Op& op, Json& json);

// Throws Error(usage) for an unknown operator, or a key that is neither the operator's nor one that
// every layer may have, with the nearest known one.
Op read_op(const JsonField& layer);

}  // namespace ampere
