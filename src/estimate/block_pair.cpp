#include "estimate/block_pair.h"

namespace ampere {

BlockPair add_both(const Model& before, const Model& after, const Setup& setup,
                   Composer& composer) {
  NetworkTerms both = terms_of(before, setup);
  const auto split = static_cast<std::ptrdiff_t>(both.size());
  const NetworkTerms second = terms_of(after, setup);
  both.insert(both.end(), second.begin(), second.end());
  const std::vector<int> numbers = number_blocks(both);
  for (std::size_t i = 0; i < both.size(); ++i)
    if (numbers[i] == composer.size()) composer.add(both[i]);
  return {{numbers.begin(), numbers.begin() + split}, {numbers.begin() + split, numbers.end()}};
}

}  // namespace ampere
