#include <algorithm>

#include "ampere/block.h"

namespace ampere {

std::vector<std::string> kinds_of(const Model& model) { return kinds_of(parse_blocks(model)); }

std::vector<std::string> kinds_of(std::span<const Block> blocks) {
  std::vector<std::string> kinds;
  for (const Block& block : blocks) kinds.push_back(block.kind->key);
  std::ranges::sort(kinds);
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  return kinds;
}

}  // namespace ampere
