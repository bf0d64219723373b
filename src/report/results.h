// Whether an object is the result it is taken for, so that a page can rely on it.
#pragma once

#include "base/json.h"

namespace ampere {

// Throw Error(usage) naming the field.
void check_evaluation(const JsonField& json);
void check_pruning(const JsonField& json);
void check_choice(const JsonField& json);
void check_generated(const JsonField& json);  // text by a language model
void check_estimate(const JsonField& json);

}  // namespace ampere
