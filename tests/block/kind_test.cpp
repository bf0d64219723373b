#include <gtest/gtest.h>

#include <algorithm>

#include "ampere/block.h"
#include "ampere/error.h"
#include "ampere/model.h"
#include "ampere/widths.h"
#include "block_text.h"

namespace ampere {
namespace {

std::string key_of(const std::string& model, std::size_t block) {
  return parse_blocks(make_zoo_model(model)).at(block).kind->key;
}

// Observations are stored under these texts. When one of these expectations has to change, stored
// profiles are lost to their users.
TEST(KindKey, IsStable) {
  EXPECT_EQ(key_of("lenet5", 0),
            "input: data image 1 @28x28; conv k5x5 s1x1 p2x2 d1x1 g1 c_out; relu; "
            "max_pool k2x2 s2x2 p0x0");
  EXPECT_EQ(key_of("lenet5", 1),
            "hidden: input image c_in @14x14; conv k5x5 s1x1 p0x0 d1x1 g1 c_out; relu; "
            "max_pool k2x2 s2x2 p0x0; flatten");
  EXPECT_EQ(key_of("lenet5", 2), "hidden: input flat c_in; linear c_out; relu");
  EXPECT_EQ(key_of("lenet5", 4), "output: input flat c_in; linear 10");
  EXPECT_EQ(key_of("har", 0),
            "input: data line 9 @128; conv k9 s1 p0 d1 g1 c_out; relu; max_pool k2 s2 p0");
  EXPECT_EQ(key_of("lstm", 0), "input: data tokens 96 @64; embedding c_out");
  EXPECT_EQ(key_of("lstm", 1), "hidden: input sequence c_in @64; lstm c_out");
  EXPECT_EQ(key_of("gru", 1), "hidden: input sequence c_in @64; gru c_out");
  EXPECT_EQ(key_of("mobilenet_v1", 1),
            "hidden: input image c @112x112; conv k3x3 s1x1 p1x1 d1x1 depthwise no_bias c; "
            "batch_norm; relu");
  EXPECT_EQ(key_of("transformer", 1),
            "hidden module: input sequence c @64; self_attention heads4 c; add <0,1; layer_norm; "
            "linear 4*c; relu; linear c; add <3,6; layer_norm");
}

TEST(KindKey, NamesChannelsThatEnterFromTheSide) {
  EXPECT_EQ(key_of("resnet18", 2),
            "hidden: input image c_in @32x32; input image c_out @32x32; "
            "conv k3x3 s1x1 p1x1 d1x1 g1 no_bias c_out <0; batch_norm; add <1,3; relu");
  EXPECT_EQ(key_of("densenet121", 2),
            "hidden: input image c_in @56x56; input image c_side @56x56; "
            "conv k3x3 s1x1 p1x1 d1x1 g1 no_bias c_out <0; concat <1,2; batch_norm; relu");
}

TEST(KindKey, DoesNotDependOnTheOrderOfOperandsInASum) {
  const auto key = [](bool swapped) {
    ModelBuilder net("sum");
    const int side = net.add(Input{flat(8), true}, std::vector<int>{});
    net.add(Input{flat(4), true}, std::vector<int>{});
    const int made = net.add(Linear{8});
    net.add(Add{}, swapped ? std::vector<int>{made, side} : std::vector<int>{side, made});
    return parse_blocks(std::move(net).build()).front().kind->key;
  };
  EXPECT_EQ(key(false), key(true));
}

Model small_net(const std::string& prefix, std::int64_t first, std::int64_t second) {
  ModelBuilder net(prefix);
  net.add(Input{image(3, 8, 8)}, std::vector<int>{}, prefix + "in");
  net.add(Conv{first, {3, 3}, {1, 1}, {1, 1}, {1, 1}}, prefix + "a");
  net.add(Dropout{first / 100.0}, prefix + "drop");
  net.add(Conv{second, {3, 3}, {1, 1}, {1, 1}, {1, 1}}, prefix + "b");
  net.add(Flatten{}, prefix + "flat");
  net.add(Linear{10}, prefix + "c");
  return std::move(net).build();
}

TEST(KindKey, DoesNotDependOnNamesOrWidths) {
  const auto keys = kind_keys(parse_blocks(small_net("x", 4, 8)));
  EXPECT_EQ(keys, kind_keys(parse_blocks(small_net("y", 7, 5))));
  EXPECT_EQ(keys, kind_keys(parse_blocks(small_net("z", 4, 4))));
}

TEST(KindKey, TellsHyperParametersApart) {
  const auto key = [](Op op) {
    ModelBuilder net("net");
    net.add(Input{image(16, 9, 9), true});
    net.add(std::move(op));
    return parse_blocks(std::move(net).build()).front().kind->key;
  };
  const Conv plain{16, {3, 3}, {1, 1}, {1, 1}, {1, 1}};
  std::vector<Conv> others(7, plain);
  others[0].kernel = {1, 1};
  others[1].stride = {2, 2};
  others[2].padding = {0, 0};
  others[3].dilation = {2, 2};
  others[4].groups = 4;
  others[5].depthwise = true;
  others[6].bias = false;
  for (const Conv& other : others) EXPECT_NE(key(plain), key(other)) << key(other);
}

TEST(KindKey, TellsExtentsAndRolesApart) {
  EXPECT_NE(key_of("cnn5", 1), key_of("cnn5", 2));
  EXPECT_NE(key_of("lstm", 3), key_of("lenet5", 4));
  EXPECT_EQ(key_of("lenet5", 2), key_of("lenet5", 3));
}

TEST(Instantiate, GivesTheBlockAtOtherFeatures) {
  const std::vector<Block> blocks = parse_blocks(make_zoo_model("lenet5"));
  const Model block = instantiate(*blocks[1].kind, std::vector<std::int64_t>{3, 11});
  EXPECT_EQ(block.layers().front().output, image(3, 14, 14));
  EXPECT_EQ(block.output().output, flat(11 * 5 * 5));
}

TEST(Instantiate, RefusesWhatIsNoFeature) {
  const std::vector<Block> blocks = parse_blocks(make_zoo_model("transformer"));
  const BlockKind& encoder = *blocks[1].kind;
  for (const std::vector<std::int64_t>& features :
       {std::vector<std::int64_t>{}, {8, 8}, {0}, {-4}, {6}, {std::int64_t{1} << 60}}) {
    try {
      instantiate(encoder, features);
      ADD_FAILURE() << features.size();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_NE(std::string(error.what()), "");
    }
  }
}

class KindZoo : public testing::TestWithParam<std::string> {};

// Widths such as a narrower version of the network may have: about a third, and as small as can be.
std::vector<std::int64_t> narrowed(const Model& model, std::int64_t divisor) {
  std::vector<std::int64_t> widths;
  for (const ChannelGroup& group : free_widths(model))
    widths.push_back(std::max<std::int64_t>(group.value / divisor / group.multiple_of, 1) *
                     group.multiple_of);
  return widths;
}

TEST_P(KindZoo, StaysTheSameInNarrowerNetworks) {
  const Model model = make_zoo_model(GetParam());
  const auto keys = kind_keys(parse_blocks(model));
  EXPECT_EQ(keys, kind_keys(parse_blocks(with_widths(model, narrowed(model, 3)))));
  EXPECT_EQ(keys, kind_keys(parse_blocks(with_widths(model, narrowed(model, 100000)))));
}

TEST_P(KindZoo, GivesBackEveryBlockAtItsOwnFeatures) {
  const Model model = make_zoo_model(GetParam());
  const Model narrower = with_widths(model, narrowed(model, 3));
  for (const Block& block : parse_blocks(narrower)) {
    std::vector<int> computed;
    for (int layer : block.layers)
      if (!std::holds_alternative<Input>(narrower.layers()[layer].op)) computed.push_back(layer);
    const Model alone = instantiate(*block.kind, block.features);
    const std::size_t inputs = alone.layers().size() - computed.size();
    for (std::size_t i = 0; i < computed.size(); ++i)
      EXPECT_EQ(alone.layers()[inputs + i].output, narrower.layers()[computed[i]].output);
  }
}

// The parts of a network are the network: nothing is counted twice or forgotten.
TEST_P(KindZoo, AddsUpToTheParametersOfTheNetwork) {
  const Model model = make_zoo_model(GetParam());
  std::int64_t parameters = 0;
  for (const Block& block : parse_blocks(model))
    parameters += count(instantiate(*block.kind, block.features), 1).parameters;
  EXPECT_EQ(parameters, count(model, 1).parameters);
}

INSTANTIATE_TEST_SUITE_P(Zoo, KindZoo, testing::ValuesIn(zoo_names()),
                         [](const auto& entry) { return entry.param; });

}  // namespace
}  // namespace ampere
