#include <gtest/gtest.h>

#include <algorithm>

#include "ampere/block.h"
#include "ampere/error.h"
#include "ampere/model.h"
#include "block_text.h"

namespace ampere {
namespace {

using Features = std::vector<std::int64_t>;

// Values that features of one kind are tried at: as small as can be, odd ones all different, and
// those of the network itself.
std::vector<Features> trials(const Block& block) {
  Features small, odd;
  for (std::size_t i = 0; i < block.features.size(); ++i) {
    const std::int64_t step = block.kind->features[i].multiple_of;
    small.push_back(step);
    odd.push_back(step * (5 + 2 * static_cast<std::int64_t>(i)));
  }
  return {small, odd, block.features};
}

const Block* find_kind(const std::vector<Block>& blocks, const BlockKind& kind) {
  const auto found = std::find_if(blocks.begin(), blocks.end(),
                                  [&](const Block& block) { return block.kind->key == kind.key; });
  return found == blocks.end() ? nullptr : &*found;
}

// The claim the profiler rests on: what a variant was made of can be read off the variant alone.
void expect_found_again(const BlockKind& kind, const Features& features, const Companions& around) {
  const Model variant = make_variant(kind, features, around);
  const std::vector<Block> blocks = parse_blocks(variant);
  std::vector<std::string> keys;
  if (around.input) keys.push_back(around.input->key);
  keys.push_back(kind.key);
  if (around.output) keys.push_back(around.output->key);
  EXPECT_EQ(kind_keys(blocks), keys);
  const Block* found = find_kind(blocks, kind);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->features, features);
  const Model alone = instantiate(kind, features);
  if (around.input) {
    EXPECT_EQ(blocks.front().features, Features{alone.layers()[0].output.channels});
  }
  if (around.output) {
    EXPECT_EQ(blocks.back().features, Features{alone.output().output.channels});
  }
}

class VariantZoo : public testing::TestWithParam<std::string> {};

TEST_P(VariantZoo, IsMadeOfTheKindsItIsParsedInto) {
  const std::vector<Block> own = parse_blocks(make_zoo_model(GetParam()));
  for (const Block& block : one_of_each(own)) {
    const Companions around = companions(*block.kind, own);
    EXPECT_EQ(around.input != nullptr, block.kind->role == Role::hidden);
    EXPECT_EQ(around.output != nullptr, block.kind->role != Role::output);
    for (const Features& features : trials(block)) {
      SCOPED_TRACE(block.kind->key);
      expect_found_again(*block.kind, features, around);
    }
  }
}

// Companions are kinds like any other: they are profiled with companions of their own.
TEST_P(VariantZoo, HasCompanionsThatCanBeProfiledThemselves) {
  const std::vector<Block> own = parse_blocks(make_zoo_model(GetParam()));
  for (const Block& block : one_of_each(own)) {
    const Companions around = companions(*block.kind, own);
    for (const auto& companion : {around.input, around.output})
      if (companion) expect_found_again(*companion, {7}, companions(*companion, own));
  }
}

// A narrower network asks for the same kinds, so it must lead to the same variants.
TEST_P(VariantZoo, IsTheSameNetworkEveryTime) {
  const std::vector<Block> own = parse_blocks(make_zoo_model(GetParam()));
  for (const Block& block : one_of_each(own)) {
    const Features features = trials(block)[1];
    const Model variant = make_variant(*block.kind, features, companions(*block.kind, own));
    const std::vector<Block> blocks = parse_blocks(variant);
    const Block* found = find_kind(blocks, *block.kind);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(model_hash(make_variant(*found->kind, features, companions(*block.kind, own))),
              model_hash(variant));
  }
}

INSTANTIATE_TEST_SUITE_P(Zoo, VariantZoo, testing::ValuesIn(zoo_names()),
                         [](const auto& entry) { return entry.param; });

TEST(MakeVariant, ChainsInputHiddenAndOutput) {
  const std::vector<Block> own = parse_blocks(make_zoo_model("lenet5"));
  const Companions around = companions(*own[1].kind, own);
  EXPECT_EQ(block_texts(make_variant(*own[1].kind, Features{4, 9}, around)),
            (std::vector<std::string>{"input conv5x5+relu+max_pool2 @28x28 c_out=4",
                                      "hidden conv5x5+relu+max_pool2+flatten @14x14 c_in=4 c_out=9",
                                      "output linear c_in=225"}));
}

TEST(MakeVariant, LeavesAnOutputBlockAlone) {
  const std::vector<Block> own = parse_blocks(make_zoo_model("lenet5"));
  const Model variant = make_variant(*own.back().kind, Features{33}, {});
  ASSERT_EQ(variant.layers().size(), 2u);
  EXPECT_TRUE(std::get<Input>(variant.layers()[0].op).boundary);
  EXPECT_EQ(variant.layers()[0].output, flat(33));
}

TEST(MakeVariant, RefusesCompanionsThatAreMissingOrDoNotFit) {
  const std::vector<Block> own = parse_blocks(make_zoo_model("lenet5"));
  EXPECT_THROW(make_variant(*own[1].kind, Features{4, 9}, {}), Error);
  const Companions of_linear = companions(*own[2].kind, own);
  EXPECT_THROW(make_variant(*own[1].kind, Features{4, 9}, of_linear), Error);
  EXPECT_THROW(make_variant(*own[1].kind, Features{4}, companions(*own[1].kind, own)), Error);
}

void expect_all_found_again(const Model& model) {
  const std::vector<Block> own = parse_blocks(model);
  for (const Block& block : one_of_each(own)) {
    SCOPED_TRACE(block.kind->key);
    for (const Features& features : trials(block))
      expect_found_again(*block.kind, features, companions(*block.kind, own));
  }
}

Conv variant_conv3(std::int64_t channels) { return {channels, {3, 3}, {1, 1}, {1, 1}, {1, 1}}; }

TEST(MakeVariant, KeepsAGateTogether) {
  ModelBuilder net("gate");
  net.add(Input{image(3, 9, 6)});
  net.add(variant_conv3(16));
  const int gated = net.add(variant_conv3(16));
  net.add(AdaptivePool{{1, 1}});
  net.add(Flatten{});
  net.add(Linear{4});
  net.add(Activation{Function::relu});
  net.add(Linear{16});
  const int gate = net.add(Activation{Function::sigmoid});
  net.add(Multiply{}, {gated, gate});
  net.add(variant_conv3(7));
  net.add(AdaptivePool{{1, 1}});
  net.add(Flatten{});
  net.add(Linear{10});
  expect_all_found_again(std::move(net).build());
}

TEST(MakeVariant, KeepsRawDataThatEnterLate) {
  ModelBuilder net("late");
  const int raw = net.add(Input{image(3, 8, 8)}, std::vector<int>{});
  net.add(variant_conv3(4));
  const int second = net.add(variant_conv3(5));
  net.add(Concat{}, {second, raw});
  net.add(variant_conv3(6));
  net.add(Flatten{});
  net.add(Linear{10});
  const Model model = std::move(net).build();
  EXPECT_EQ(parse_blocks(model)[1].kind->role, Role::input);
  expect_all_found_again(model);
}

TEST(MakeVariant, KeepsTwoTowersApart) {
  ModelBuilder net("towers");
  const int left = net.add(Input{flat(8)}, std::vector<int>{});
  const int right = net.add(Input{tokens(12, 50)}, std::vector<int>{});
  const int a = net.add(Linear{4}, {left});
  net.add(Embedding{5}, {right});
  const int b = net.add(TokenMean{});
  net.add(Concat{}, {a, b});
  net.add(Linear{6});
  net.add(Linear{10});
  expect_all_found_again(std::move(net).build());
}

TEST(MakeVariant, TakesAnOutputBlockThatIsAModule) {
  ModelBuilder net("classifier");
  net.add(Input{image(3, 8, 8)});
  net.add(variant_conv3(32));
  net.add(variant_conv3(33));
  net.module("classifier");
  net.add(AdaptivePool{{1, 1}});
  net.add(Flatten{});
  net.add(Linear{10});
  const Model model = std::move(net).build();
  const std::vector<Block> own = parse_blocks(model);
  const Companions around = companions(*own[1].kind, own);
  EXPECT_EQ(around.output->key, own[2].kind->key);
  expect_found_again(*own[1].kind, {7, 33}, around);
}

// Two modules of one name in one network are two blocks only when something tells them apart.
TEST(MakeVariant, DoesNotMergeAModuleNamedLikeTheHead) {
  ModelBuilder net("heads");
  net.add(Input{flat(8)});
  net.add(Linear{16});
  net.module("head");
  net.add(Linear{4});
  net.add(Linear{5});
  net.module("");
  net.add(LayerNorm{});
  net.add(Linear{10});
  const std::vector<Block> own = parse_blocks(std::move(net).build());
  ASSERT_EQ(own.size(), 3u);
  expect_found_again(*own[1].kind, {16, 5, 4}, companions(*own[1].kind, own));
}

}  // namespace
}  // namespace ampere
