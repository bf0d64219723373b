#include <algorithm>

#include "ampere/block.h"

namespace ampere {

std::vector<std::string> kinds_of(const Model& model) {
  std::vector<std::string> kinds;
  for (const Block& block : parse_blocks(model)) kinds.push_back(block.kind->key);
  std::ranges::sort(kinds);
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  return kinds;
}

}  // namespace ampere
