// A training run as text for people.
#pragma once

#include "report/plan_json.h"

namespace ampere {

void print_training_run(const RunReport& report);

}  // namespace ampere
