// A program as `ampere show` prints it.
#pragma once

#include "ampere/program.h"

namespace ampere {

void print_program(const Program& program);
// A program file that loads again, with derived values beside it.
void print_program_json(const Program& program);

}  // namespace ampere
