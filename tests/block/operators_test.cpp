// Blocks of networks as exporters write them: gates, branches, learned tensors, primitives.
#include <gmock/gmock.h>

#include <algorithm>

#include "ampere/block.h"
#include "block_text.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Features = std::vector<std::int64_t>;

Conv conv1(std::int64_t channels, bool bias = false) {
  return {channels, {1, 1}, {1, 1}, {0, 0}, {1, 1}, 1, false, bias};
}

Conv depthwise3() { return {0, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 1, true, false}; }

void add_head(ModelBuilder& net) {
  net.add(AdaptivePool{{1, 1}});
  net.add(Flatten{});
  net.add(Linear{10});
}

// Each kind at its own and at smaller features: what a variant is made of is found in it again.
void expect_variants_of(const Model& model) {
  const std::vector<Block> own = parse_blocks(model);
  for (const Block& block : one_of_each(own)) {
    SCOPED_TRACE(block.kind->key);
    Features small;
    for (const Feature& feature : block.kind->features) small.push_back(feature.multiple_of);
    const Companions around = companions(*block.kind, own);
    for (const Features& features : {block.features, small}) {
      std::vector<std::string> keys;
      if (around.input) keys.push_back(around.input->key);
      keys.push_back(block.kind->key);
      if (around.output) keys.push_back(around.output->key);
      EXPECT_EQ(kind_keys(parse_blocks(make_variant(*block.kind, features, around))), keys);
    }
  }
}

// An inverted residual of MobileNet v3 or EfficientNet: expansion, depthwise convolution, a gate
// from pooled channels, projection, sum.
Model inverted_residual() {
  ModelBuilder net("inverted residual");
  net.add(Input{image(3, 14, 14)});
  const int stem = net.add(conv1(16, true));
  net.add(conv1(64));
  net.add(BatchNorm{1e-3});
  net.add(Activation{Function::hard_swish});
  net.add(depthwise3());
  net.add(BatchNorm{1e-3});
  const int wide = net.add(Activation{Function::hard_swish});
  net.add(AdaptivePool{{1, 1}});
  net.add(conv1(24, true));
  net.add(Activation{Function::relu});
  net.add(conv1(64, true));
  const int gate = net.add(Activation{Function::hard_sigmoid});
  net.add(Multiply{}, {gate, wide});
  net.add(conv1(16));
  const int narrow = net.add(BatchNorm{1e-3});
  net.add(Add{}, {narrow, stem});
  add_head(net);
  return std::move(net).build();
}

TEST(OperatorBlocks, InvertedResidualsAreCutAtTheirConvolutions) {
  EXPECT_THAT(block_texts(inverted_residual()),
              ElementsAre("input conv1x1 @14x14 c_out=16",
                          "hidden conv1x1+bn+hard_swish @14x14 c_in=16 c_out=64",
                          "hidden dwconv3x3+bn+hard_swish+global_pool @14x14 c=64",
                          "hidden conv1x1+relu @1x1 c_in=64 c_out=24",
                          "hidden conv1x1+hard_sigmoid+multiply @1x1 c_in=24 c_out=64",
                          "hidden conv1x1+bn+add+global_pool+flatten @14x14 c_in=64 c_out=16",
                          "output linear c_in=16"));
  expect_variants_of(inverted_residual());
}

// Upsampling with a skip, as segmenting networks do.
Model decoder() {
  ModelBuilder net("decoder");
  net.add(Input{image(3, 16, 16)});
  net.add(Conv{8, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  net.add(GroupNorm{4});
  const int skip = net.add(Activation{Function::leaky_relu, {0.2}});
  net.add(Pool{Pooling::max, {2, 2}, {2, 2}, {0, 0}});
  net.add(Conv{12, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  net.add(InstanceNorm{});
  net.add(PRelu{});
  const int up = net.add(ConvTranspose{8, {2}, {2}});
  net.add(Concat{}, {skip, up});
  net.add(Conv{6, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  net.add(Upsample{{32, 32}, Interpolation::linear});
  net.add(Scale{});
  net.add(conv1(2, true));
  return std::move(net).build();
}

TEST(OperatorBlocks, NormsScalesAndSlopesFollowWhatTheyWorkOn) {
  EXPECT_THAT(block_texts(decoder()),
              ElementsAre("input conv3x3+gn+leaky_relu+max_pool2 @16x16 c_out=8",
                          "hidden conv3x3+in+prelu @8x8 c_in=8 c_out=12",
                          "hidden tconv2x2/2+concat @8x8 c_in=12 c_out=8 c_side=8",
                          "hidden conv3x3+upsample+scale @16x16 c_in=16 c_out=6",
                          "output conv1x1 @32x32 c_in=6"));
  expect_variants_of(decoder());
}

int add_heads(ModelBuilder& net, int read, const std::vector<std::int64_t>& order) {
  net.add(Linear{8}, {read});
  net.add(Reshape{tensor({6, 2, 4})});
  return net.add(Permute{order});
}

// Attention in primitives, with learned positions and a constant mask.
Model primitive_attention() {
  ModelBuilder net("attention");
  net.add(Input{tokens(6, 50)});
  const int words = net.add(Embedding{8});
  const int positions = net.add(Parameter{sequence(6, 8)}, "positions");
  const int x = net.add(Add{}, {words, positions});
  const int q = add_heads(net, x, {1, 0, 2}), k = add_heads(net, x, {1, 2, 0});
  const int scores = net.add(MatMul{}, {q, k});
  const int scaled = net.add(Activation{Function::affine, {0.5, 0}}, {scores});
  const int mask = net.add(Parameter{tensor({6, 6}), false}, "mask");
  net.add(Add{}, {scaled, mask});
  const int weights = net.add(Softmax{-1});
  const int v = add_heads(net, x, {1, 0, 2});
  net.add(MatMul{}, {weights, v});
  net.add(Permute{{1, 0, 2}});
  net.add(Reshape{sequence(6, 8)});
  const int mixed = net.add(Linear{8});
  net.add(Add{}, {mixed, x});
  net.add(LayerNorm{});
  net.add(TokenMean{});
  net.add(Linear{3});
  return std::move(net).build();
}

TEST(OperatorBlocks, PrimitivesFollowTheLayerTheyComeAfter) {
  EXPECT_THAT(
      block_texts(primitive_attention()),
      ElementsAre("input embedding+parameter+add @6 tokens c_out=8",
                  "hidden linear+reshape+permute @6 tokens c_in=8",
                  "hidden linear+reshape+permute+matmul+affine+parameter+add+softmax @6 tokens "
                  "c_in=8",
                  "hidden linear+reshape+permute+matmul+permute+reshape @6 tokens c_in=8",
                  "hidden linear+add+ln+token_mean @6 tokens c_in=8 c_out=8",
                  "output linear c_in=8"));
  expect_variants_of(primitive_attention());
}

TEST(OperatorBlocks, ShapesAndConstantsEnterTheKey) {
  const std::vector<std::string> keys = kind_keys(parse_blocks(primitive_attention()));
  EXPECT_EQ(keys[2],
            "hidden: input sequence c_in @6; input tensor @2x6x4; linear 8 <0; reshape tensor "
            "@6x2x4; permute 1x2x0; matmul <1,4; affine; parameter tensor @6x6; add <6,7; softmax "
            "axis2");
}

TEST(OperatorBlocks, WhatCostsNothingDoesNotEnterTheKey) {
  const auto key = [](Function function, std::vector<double> parameters, double epsilon) {
    ModelBuilder net("net");
    net.add(Input{image(3, 4, 4)});
    net.add(conv1(4));
    net.add(BatchNorm{epsilon});
    net.add(Activation{function, std::move(parameters)});
    add_head(net);
    return parse_blocks(std::move(net).build()).front().kind->key;
  };
  EXPECT_EQ(key(Function::leaky_relu, {0.1}, 1e-5), key(Function::leaky_relu, {0.2}, 1e-3));
  EXPECT_EQ(key(Function::clip, {0, 1}, 1e-5), key(Function::clip, {-1, 1}, 1e-5));
  EXPECT_NE(key(Function::power, {2}, 1e-5), key(Function::power, {0.3}, 1e-5));
  EXPECT_THAT(key(Function::power, {0.3}, 1e-5), HasSubstr("power 0.3"));
}

TEST(OperatorBlocks, ASharedParameterBelongsToItsFirstReader) {
  ModelBuilder net("shared");
  net.add(Input{flat(4)});
  const int own = net.add(Parameter{flat(4)}, "own");
  net.add(Add{}, {0, own});
  net.add(Linear{4});
  net.add(Multiply{}, {net.last(), own});
  net.add(Linear{4});
  net.add(Multiply{}, {net.last(), own});
  net.add(Linear{10});
  const Model model = std::move(net).build();
  const std::vector<Block> blocks = parse_blocks(model);
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_THAT(blocks[0].layers, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(blocks[1].kind->key, HasSubstr("input flat"));
  expect_variants_of(model);
}

// As the position bias of Swin v2: alone, the layers of the table would be measured with a batch.
TEST(OperatorBlocks, LayersThatReadParametersAloneBelongToWhoReadsThem) {
  ModelBuilder net("bias");
  net.add(Input{image(3, 2, 2)});
  net.add(conv1(8));
  const int x = net.add(ToSequence{});
  net.add(Parameter{tensor({2, 2}), false}, "places");
  net.add(Linear{16});
  net.add(Activation{});
  net.add(Linear{4, false});
  net.add(Reshape{sequence(2, 4)});
  const int bias = net.add(Gather{0, 4});
  const int scores = net.add(Linear{4}, {x});
  net.add(Add{}, {scores, bias});
  net.add(Flatten{});
  net.add(Linear{3});
  const Model model = std::move(net).build();
  EXPECT_THAT(
      block_texts(model),
      ElementsAre("input conv1x1+to_sequence @2x2 c_out=8",
                  "hidden parameter+linear+relu+linear+reshape+gather+linear+add+flatten @4 tokens "
                  "c_in=8",
                  "output linear c_in=16"));
  EXPECT_EQ(
      kind_keys(parse_blocks(model))[1],
      "hidden: input sequence c_in @4; parameter tensor @2x2; linear 16; relu; linear no_bias "
      "4; reshape sequence 4 @2; gather axis0 4; linear 4 <0; add <6,7; flatten");
  expect_variants_of(model);
}

TEST(OperatorBlocks, WhatIsMadeOfParametersAloneBeginsTheNetwork) {
  ModelBuilder net("prompt");
  net.add(Parameter{sequence(3, 5)}, "prompt");
  const int prompt = net.add(Linear{8});
  net.add(Input{tokens(6, 50)});
  const int words = net.add(Embedding{8});
  net.add(Concat{0}, {prompt, words});
  net.add(Linear{7});
  net.add(TokenMean{});
  net.add(Linear{2});
  const Model model = std::move(net).build();
  const std::vector<Block> blocks = parse_blocks(model);
  EXPECT_EQ(blocks[0].kind->role, Role::input);
  expect_variants_of(model);
}

TEST(OperatorBlocks, TensorsGetCompanionsOfTheirOwn) {
  ModelBuilder net("windows");
  net.add(Input{image(3, 4, 4)});
  net.add(conv1(8));
  net.add(Permute{{1, 2, 0}});
  net.add(Linear{6});
  net.add(LayerNorm{});
  net.add(Linear{5});
  net.add(Reduce{Reduction::mean, {0, 1}});
  net.add(Reshape{flat(5)});
  net.add(Linear{2});
  const Model model = std::move(net).build();
  EXPECT_THAT(block_texts(model),
              ElementsAre("input conv1x1+permute @4x4", "hidden linear+ln @4x4x8",
                          "hidden linear+reduce_mean+reshape @4x4x6", "output linear c_in=5"));
  expect_variants_of(model);
}

// As many layers as a network may have, in blocks of every size.
TEST(OperatorBlocks, LargeNetworksAreCut) {
  ModelBuilder net("large");
  net.add(Input{flat(4)});
  int sum = net.add(Linear{4});
  for (int i = 0; i < 25'000; ++i) {
    const int branch = net.add(Linear{4}, {sum});
    sum = net.add(Add{}, {branch, sum});
    net.add(Activation{Function::relu});
  }
  for (int i = 0; i < 25'000; ++i) net.add(Activation{Function::relu});
  net.module("last");
  for (int i = 0; i < 4'000; ++i) net.add(Linear{5 + i % 3}, {sum});
  const Model model = std::move(net).build();
  const std::vector<Block> blocks = parse_blocks(model);
  EXPECT_EQ(blocks.size(), 25'002u);
  EXPECT_EQ(one_of_each(blocks).size(), 4u);
}

}  // namespace
}  // namespace ampere
