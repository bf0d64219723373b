// Arithmetic on constants.
#pragma once

#include "onnx/importer.h"

namespace ampere::onnx {

// False when the operator is not one of them.
bool fold_arithmetic(Importer& importer, const Node& node);

}  // namespace ampere::onnx
