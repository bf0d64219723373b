// Setups as JSON, for the protocols, the store and files. Reading throws Error(usage) that names
// the field.
#pragma once

#include "ampere/train.h"
#include "base/json.h"

namespace ampere {

Json setup_json(const Setup& setup);
Setup read_setup(const JsonField& json);

}  // namespace ampere
