// A choice as a table for people.
#pragma once

#include "choosing.h"

namespace ampere {

void print_choice(const Chosen& chosen);

}  // namespace ampere
