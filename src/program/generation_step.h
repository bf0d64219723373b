// A call of a language model as JSON: the key "generation" of a program and of a request to trace.
#pragma once

#include "ampere/program.h"
#include "base/json.h"

namespace ampere {

Json generation_step_json(const GenerationStep& step);
// Throws Error(usage) that names the field; a decode without a context and a prefill with one are
// such errors.
GenerationStep read_generation_step(const JsonField& json);

}  // namespace ampere
