// Steps of a program as lines that a test can compare and a reader can read:
//   backward mm(fp32[4,8]/[1,4], fp32[8,9]) -> fp32[4,9]
#pragma once

#include <string>
#include <vector>

#include "ampere/program.h"

namespace ampere::testing_support {

enum class Steps { launching, all };
std::vector<std::string> lines(const Program& program, Steps steps = Steps::launching);
// Those of one phase, without its name.
std::vector<std::string> lines_of(const Program& program, ProgramPhase phase);

// What is only in one of the programs, line by line; empty when both have the same operations in
// the same order.
std::string difference(const Program& traced, const Program& lowered,
                       Steps steps = Steps::launching);

}  // namespace ampere::testing_support
