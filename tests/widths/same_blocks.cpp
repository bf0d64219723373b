#include "same_blocks.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "block/terms.h"

namespace ampere {

void expect_same(WidthBlocks& blocks, const Model& original,
                 const std::vector<std::int64_t>& widths, const Setup& setup) {
  const Model network = with_widths(original, widths);
  const NetworkTerms expected = terms_of(network, setup);
  const std::vector<int> numbers = blocks.at(widths);
  ASSERT_EQ(numbers.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const SizedBlock& block = blocks.block(numbers[i]);
    EXPECT_EQ(blocks.kind(block.kind).key, expected[i].kind);
    EXPECT_EQ(block.features, expected[i].features);
    EXPECT_EQ(block.work.flops, expected[i].flops);
    EXPECT_EQ(block.work.bytes, expected[i].bytes);
  }
}

std::vector<std::vector<std::int64_t>> coinciding_widths(const Model& original, int count,
                                                         unsigned seed) {
  const std::vector<ChannelGroup> groups = free_widths(original);
  std::int64_t common = 1;
  for (const ChannelGroup& group : groups) common = std::lcm(common, group.multiple_of);
  std::vector<std::vector<std::int64_t>> list(2);
  for (const ChannelGroup& group : groups) {
    list[0].push_back(group.multiple_of);
    list[1].push_back(common);
  }
  std::mt19937_64 random(seed);
  for (int i = 0; i < count; ++i) {
    list.emplace_back();
    for (const ChannelGroup& group : groups)
      list.back().push_back(group.multiple_of * static_cast<std::int64_t>(1 + random() % 3));
  }
  return list;
}

}  // namespace ampere
