#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "ampere/block.h"
#include "ampere/model.h"
#include "block_text.h"

namespace ampere {
namespace {

using testing::ElementsAre;

Conv conv3(std::int64_t channels) { return {channels, {3, 3}, {1, 1}, {1, 1}, {1, 1}}; }

TEST(ParseBlocks, CutsLenet5AfterEveryParametricLayer) {
  EXPECT_THAT(block_texts(make_zoo_model("lenet5")),
              ElementsAre("input conv5x5+relu+max_pool2 @28x28 c_out=6",
                          "hidden conv5x5+relu+max_pool2+flatten @14x14 c_in=6 c_out=16",
                          "hidden linear+relu c_in=400 c_out=120",
                          "hidden linear+relu c_in=120 c_out=84", "output linear c_in=84"));
}

TEST(ParseBlocks, CutsCnn5) {
  EXPECT_THAT(
      block_texts(make_zoo_model("cnn5")),
      ElementsAre("input conv3x3+relu+max_pool2 @28x28 c_out=16",
                  "hidden conv3x3+relu+max_pool2 @14x14 c_in=16 c_out=32",
                  "hidden conv3x3+relu @7x7 c_in=32 c_out=64",
                  "hidden conv3x3+relu+flatten @7x7 c_in=64 c_out=128", "output linear c_in=6272"));
}

TEST(ParseBlocks, CutsHar) {
  EXPECT_THAT(block_texts(make_zoo_model("har")),
              ElementsAre("input conv9+relu+max_pool2 @128 c_out=32",
                          "hidden conv9+relu+max_pool2+flatten @60 c_in=32 c_out=64",
                          "hidden linear+relu c_in=1664 c_out=512", "output linear c_in=512"));
}

TEST(ParseBlocks, CutsLstm) {
  EXPECT_THAT(
      block_texts(make_zoo_model("lstm")),
      ElementsAre("input embedding @64 tokens c_out=64", "hidden lstm @64 tokens c_in=64 c_out=128",
                  "hidden lstm @64 tokens c_in=128 c_out=128",
                  "output linear @64 tokens c_in=128"));
}

TEST(ParseBlocks, TakesAnEncoderLayerAsOneBlock) {
  EXPECT_THAT(block_texts(make_zoo_model("transformer")),
              ElementsAre("input embedding @64 tokens c_out=256", "hidden encoder @64 tokens c=256",
                          "hidden encoder @64 tokens c=256", "hidden encoder @64 tokens c=256",
                          "hidden encoder+token_mean @64 tokens c=256", "output linear c_in=256"));
}

TEST(ParseBlocks, FindsFewKindsInResnet34) {
  const std::vector<Block> kinds = one_of_each(parse_blocks(make_zoo_model("resnet34")));
  EXPECT_EQ(std::count_if(kinds.begin(), kinds.end(),
                          [](const Block& block) { return block.kind->role == Role::hidden; }),
            15);
}

TEST(ParseBlocks, PutsAnAdditionWhereItsLastOperandArrives) {
  ModelBuilder net("residual");
  net.add(Input{image(3, 8, 8)});
  const int stem = net.add(conv3(4));
  const int branch = net.add(conv3(4));
  const int sum = net.add(Add{}, {branch, stem});
  net.add(Flatten{}, {sum});
  net.add(Linear{10});
  const std::vector<Block> blocks = parse_blocks(std::move(net).build());
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_THAT(blocks[1].layers, ElementsAre(branch, sum, sum + 1));
  EXPECT_EQ(block_text(blocks[1]), "hidden conv3x3+add+flatten @8x8 c=4");
}

TEST(ParseBlocks, NamesWhatEntersAConcatenationFromTheSide) {
  ModelBuilder net("branches");
  net.add(Input{image(3, 8, 8)});
  const int stem = net.add(conv3(4));
  const int left = net.add(conv3(5), {stem});
  const int right = net.add(conv3(6), {stem});
  net.add(Concat{}, {left, right, stem});
  net.add(Flatten{});
  net.add(Linear{10});
  EXPECT_THAT(block_texts(std::move(net).build()),
              ElementsAre("input conv3x3 @8x8 c_out=4", "hidden conv3x3 @8x8 c_in=4 c_out=5",
                          "hidden conv3x3+concat+flatten @8x8 c_in=4 c_out=6 c_side=5",
                          "output linear c_in=960"));
}

TEST(ParseBlocks, NumbersSeveralSides) {
  ModelBuilder net("branches");
  net.add(Input{image(3, 8, 8)});
  const int stem = net.add(conv3(4));
  const int one = net.add(conv3(5), {stem});
  const int two = net.add(conv3(6), {stem});
  const int three = net.add(conv3(7), {stem});
  net.add(Concat{}, {two, one, three});
  net.add(Flatten{});
  net.add(Linear{10});
  EXPECT_EQ(block_texts(std::move(net).build())[3],
            "hidden conv3x3+concat+flatten @8x8 c_in=4 c_out=7 c_side1=6 c_side2=5");
}

TEST(ParseBlocks, PutsAGateWhereItIsApplied) {
  ModelBuilder net("gate");
  net.add(Input{image(3, 8, 8)});
  const int stem = net.add(conv3(16));
  net.add(AdaptivePool{{1, 1}});
  net.add(Flatten{});
  net.add(Linear{4});
  net.add(Activation{Function::relu});
  net.add(Linear{16});
  const int gate = net.add(Activation{Function::sigmoid});
  net.add(Multiply{}, {stem, gate});
  net.add(conv3(10));
  EXPECT_THAT(
      block_texts(std::move(net).build()),
      ElementsAre("input conv3x3+global_pool+flatten @8x8 c_out=16",
                  "hidden linear+relu c_in=16 c_out=4",
                  "hidden linear+sigmoid+multiply c_in=4 c_out=16", "output conv3x3 @8x8 c_in=16"));
}

TEST(ParseBlocks, NamesWidthsInsideAModule) {
  ModelBuilder net("bottleneck");
  net.add(Input{image(3, 8, 8)});
  net.add(conv3(16));
  net.module("unit0");
  net.add(conv3(5));
  net.add(conv3(7));
  net.add(conv3(24));
  net.module("");
  net.add(Flatten{});
  net.add(Linear{10});
  EXPECT_EQ(block_texts(std::move(net).build())[1],
            "hidden unit+flatten @8x8 c_in=16 c_out=24 c_mid1=5 c_mid2=7");
}

TEST(ParseBlocks, GivesLayersBeforeTheFirstParametricOneToTheFirstBlock) {
  ModelBuilder net("pooled");
  net.add(Input{image(3, 8, 8)});
  net.add(Pool{Pooling::max, {2, 2}, {2, 2}, {0, 0}});
  net.add(conv3(4));
  net.add(Flatten{});
  net.add(Linear{10});
  const std::vector<Block> blocks = parse_blocks(std::move(net).build());
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_THAT(blocks[0].layers, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(blocks[0].kind->role, Role::input);
}

TEST(ParseBlocks, CompletesAModuleWithoutParametersWithTheLayerThatReadsIt) {
  ModelBuilder net("pooling");
  net.add(Input{image(3, 8, 8)});
  const int stem = net.add(conv3(4));
  net.module("pooling0");
  net.add(AdaptivePool{{1, 1}});
  net.add(Flatten{});
  net.module("");
  net.add(Dropout{0.5});
  net.add(Linear{10});
  const std::vector<Block> blocks = parse_blocks(std::move(net).build());
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_THAT(blocks[0].layers, ElementsAre(0, stem));
  EXPECT_EQ(block_text(blocks[1]), "output pooling+dropout+linear @8x8 c_in=4");
}

TEST(ParseBlocks, TreatsEveryBlockOnRawDataAsAnInputBlock) {
  ModelBuilder net("towers");
  const int left = net.add(Input{flat(8)}, std::vector<int>{});
  const int right = net.add(Input{flat(9)}, std::vector<int>{});
  const int a = net.add(Linear{4}, {left});
  const int b = net.add(Linear{5}, {net.add(Activation{Function::tanh}, {right})});
  net.add(Concat{}, {a, b});
  net.add(Linear{10});
  const std::vector<Block> blocks = parse_blocks(std::move(net).build());
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_THAT(blocks[0].layers, ElementsAre(0, 2));
  EXPECT_THAT(blocks[1].layers, ElementsAre(1, 3, 4, 5));
  EXPECT_EQ(blocks[0].kind->role, Role::input);
  EXPECT_EQ(blocks[1].kind->role, Role::input);
  EXPECT_EQ(block_text(blocks[2]), "output linear c_in=9");
}

TEST(ParseBlocks, SeesANetworkOfOneBlockAsAnOutputBlockWithoutFeatures) {
  ModelBuilder net("one");
  net.add(Input{flat(8)});
  net.add(Linear{10});
  EXPECT_THAT(block_texts(std::move(net).build()), ElementsAre("output linear"));
}

TEST(ParseBlocks, TakesANetworkWithoutParametersAsOneBlock) {
  ModelBuilder net("relu");
  net.add(Input{flat(8)});
  net.add(Activation{Function::relu});
  EXPECT_THAT(block_texts(std::move(net).build()), ElementsAre("output relu"));

  ModelBuilder nothing("nothing");
  nothing.add(Input{flat(8)});
  EXPECT_THAT(block_texts(std::move(nothing).build()), ElementsAre("output input"));
}

class ParseZoo : public testing::TestWithParam<std::string> {};

TEST_P(ParseZoo, PutsEveryLayerInExactlyOneBlock) {
  const Model model = make_zoo_model(GetParam());
  std::vector<int> seen;
  for (const Block& block : parse_blocks(model)) {
    EXPECT_TRUE(std::is_sorted(block.layers.begin(), block.layers.end()));
    EXPECT_FALSE(block.layers.empty());
    EXPECT_EQ(block.features.size(), block.kind->features.size());
    seen.insert(seen.end(), block.layers.begin(), block.layers.end());
  }
  std::sort(seen.begin(), seen.end());
  std::vector<int> all(model.layers().size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  EXPECT_EQ(seen, all);
}

TEST_P(ParseZoo, FindsOneInputBlockFirstAndOneOutputBlockLast) {
  const std::vector<Block> blocks = parse_blocks(make_zoo_model(GetParam()));
  ASSERT_GE(blocks.size(), 3u);
  EXPECT_EQ(blocks.front().kind->role, Role::input);
  EXPECT_EQ(blocks.back().kind->role, Role::output);
  for (std::size_t i = 1; i + 1 < blocks.size(); ++i)
    EXPECT_EQ(blocks[i].kind->role, Role::hidden) << i;
}

TEST_P(ParseZoo, SharesOneKindBetweenEqualBlocks) {
  const std::vector<Block> blocks = parse_blocks(make_zoo_model(GetParam()));
  for (const Block& a : blocks)
    for (const Block& b : blocks) EXPECT_EQ(a.kind == b.kind, a.kind->key == b.kind->key);
}

INSTANTIATE_TEST_SUITE_P(Zoo, ParseZoo, testing::ValuesIn(zoo_names()),
                         [](const auto& entry) { return entry.param; });

}  // namespace
}  // namespace ampere
