// Blocks as lines of text, so that expectations read like `ampere show`.
#pragma once

#include <string>
#include <vector>

#include "ampere/block.h"

namespace ampere {

// "input conv5x5+relu+max_pool2 @28x28 c_out=6"
std::string block_text(const Block& block);
std::vector<std::string> block_texts(const Model& model);

std::vector<std::string> kind_keys(const std::vector<Block>& blocks);

// One block of each kind, in the order of first appearance.
std::vector<Block> one_of_each(const std::vector<Block>& blocks);

std::vector<std::string> zoo_names();

}  // namespace ampere
