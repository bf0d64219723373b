// A fit does not say what its kind is made of; the variants it was measured with do.
#pragma once

#include <memory>
#include <string>

#include "ampere/block.h"

namespace ampere {

// Null when none of the model's blocks is of the kind.
inline std::shared_ptr<const BlockKind> kind_within(const Model& model, const std::string& key) {
  for (const Block& block : parse_blocks(model))
    if (block.kind->key == key) return block.kind;
  return nullptr;
}

}  // namespace ampere
