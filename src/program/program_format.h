// The version of program files (docs/program-format.md).
#pragma once

namespace ampere {

inline constexpr int kProgramFormatVersion = 1;

}  // namespace ampere
