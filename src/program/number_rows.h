// The steps of a program, read from its text: they are half of it, and a JSON value for each of
// their numbers takes ten times as long.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ampere {

struct StepRows {
  std::vector<std::array<int, 3>> rows;
  std::string rest;  // the text with kStepsElsewhere instead of the list
};
inline constexpr int kStepsElsewhere = -1;

// Nothing unless the text has one key "steps" with a list of lists of three whole numbers.
std::optional<StepRows> cut_steps(std::string_view text);

}  // namespace ampere
