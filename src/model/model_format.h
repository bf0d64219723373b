// The version of model files (docs/model-format.md).
#pragma once

namespace ampere {

inline constexpr int kModelFormatVersion = 1;

}  // namespace ampere
