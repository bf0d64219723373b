// Prints what became of a suite.
#pragma once

#include <vector>

#include "ampere/evaluate.h"

namespace ampere {

void print_suite(const std::vector<SuiteResult>& results);
void print_suite_json(const std::vector<SuiteResult>& results);  // a line each, then the scores

}  // namespace ampere
