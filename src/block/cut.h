// Where a network is cut: which layer belongs to which block.
#pragma once

#include <string>
#include <vector>

#include "ampere/model.h"

namespace ampere {

struct Cut {
  std::vector<std::vector<int>> blocks;  // layers of each block, ascending
  std::vector<int> block_of;             // one per layer
};

// Every layer in exactly one block; blocks in the order of the layers that started them.
Cut cut_blocks(const Model& model);

}  // namespace ampere
