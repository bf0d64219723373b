// Results of a suite as JSON. Reading throws Error(usage) that names the field.
#pragma once

#include "ampere/evaluate.h"
#include "base/json.h"

namespace ampere {

Json suite_result_json(const SuiteResult& result);
SuiteResult read_suite_result(const JsonField& json);
Json suite_score_json(const SuiteScore& score);

}  // namespace ampere
