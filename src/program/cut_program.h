// The steps and operations of a program, read from its text: they are most of it, and JSON values
// for all their numbers take ten times as long.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ampere/program.h"

namespace ampere {

struct CutProgram {
  std::vector<std::array<int, 3>> steps;
  std::vector<Operation> operations;  // whose tensors may not exist, and that may not be countable
  std::string rest;                   // the text with kElsewhere instead of both lists
};
inline constexpr int kElsewhere = -1;

// Nothing unless the text has one key "steps" with a list of lists of three indices and one key
// "operations", both are written in the usual way, and neither is longer than what is read.
std::optional<CutProgram> cut_program(std::string_view text);

}  // namespace ampere
