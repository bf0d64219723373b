// The version of the files that `ampere evaluate` writes.
#pragma once

namespace ampere {

inline constexpr int kEvaluationFormatVersion = 1;

}  // namespace ampere
