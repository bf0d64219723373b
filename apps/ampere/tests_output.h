// How well a profile's fits predict its test points, as text and as JSON.
#pragma once

#include "ampere/session.h"
#include "base/json.h"

namespace ampere {

Json tests_json(const Session::Tests& tests);
void print_tests(const Session::Tests& tests);

}  // namespace ampere
