// What generating text costs, as JSON (docs/generation.md).
#pragma once

#include "ampere/session.h"
#include "base/json.h"

namespace ampere {

Json generation_json(const GenerationTask& task, const GenerationAnswer& answer);

}  // namespace ampere
