// Constants picked from, written into and multiplied with others: how exporters write the masks of
// attention, shifted windows and the angles of rotary embeddings.
#pragma once

#include "onnx/importer.h"

namespace ampere::onnx {

// False when the operator is not one of them.
bool fold_tables(Importer& importer, const Node& node);

}  // namespace ampere::onnx
