#include "widths/width_blocks.h"

#include <gtest/gtest.h>

#include "ampere/error.h"
#include "profiles.h"
#include "same_blocks.h"

namespace ampere {
namespace {

TEST(WidthBlocks, AreThoseOfTheNetworkItself) {
  ampere::Setup setup;
  setup.batch = 7;
  for (const char* spec : {"lenet5", "cnn5", "lstm", "transformer", "har", "resnet18", "resnet50",
                           "mobilenet_v2", "squeezenet", "densenet121", "shufflenet_v2",
                           "googlenet", "vit_tiny", "alexnet", "proxylessnas"}) {
    SCOPED_TRACE(spec);
    const Model original = open_model(spec);
    const WidthSpace space = make_space(original);
    WidthBlocks blocks(original, setup);
    for (const auto& widths : draw_widths(space, 4, 5)) {
      expect_same(blocks, original, widths, setup);
      expect_same(blocks, original, widths, setup);  // and from memory
    }
    std::vector<std::int64_t> narrowest;
    for (const WidthRange& range : space.widths) narrowest.push_back(range.least);
    expect_same(blocks, original, narrowest, setup);
  }
}

// A module whose inner width is a multiple of its input at some widths only.
Model loose_module() {
  ModelBuilder builder("loose");
  builder.add(Input{image(3, 8, 8)});
  builder.add(Conv{12, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  builder.module("bottleneck");
  builder.add(Conv{7, {1, 1}, {1, 1}, {0, 0}, {1, 1}});
  builder.add(Activation{Function::relu});
  builder.add(Conv{20, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  builder.module("");
  builder.add(AdaptivePool{{1, 1}});
  builder.add(Flatten{});
  builder.add(Linear{10});
  return std::move(builder).build();
}

TEST(WidthBlocks, AKindThatChangesWithTheWidthsIsFound) {
  const Model original = loose_module();
  WidthBlocks blocks(original, {});
  const WidthSpace space = make_space(original);
  ASSERT_EQ(space.widths.size(), 3u);
  expect_same(blocks, original, {12, 7, 20}, {});
  expect_same(blocks, original, {2, 4, 6}, {});
  expect_same(blocks, original, {1, 1, 1}, {});
  for (const auto& widths : draw_widths(space, 40, 2)) expect_same(blocks, original, widths, {});
}

TEST(WidthBlocks, EqualBlocksHaveOneNumber) {
  const Model original = open_model("resnet18");
  WidthBlocks blocks(original, {});
  const std::vector<int> numbers = blocks.at(original_widths(make_space(original)));
  EXPECT_LT(static_cast<std::size_t>(blocks.size()), numbers.size());
}

TEST(WidthBlocks, ForgettingChangesNothing) {
  const Model original = open_model("cnn5");
  WidthBlocks blocks(original, {});
  const std::vector<std::int64_t> widths = original_widths(make_space(original));
  blocks.at(widths);
  blocks.forget();
  EXPECT_EQ(blocks.size(), 0);
  expect_same(blocks, original, widths, {});
}

TEST(WidthBlocks, WidthsThatCannotBeAreRefused) {
  WidthBlocks blocks(open_model("transformer"), {});
  std::vector<std::int64_t> widths = original_widths(make_space(open_model("transformer")));
  const std::vector<std::int64_t> right = widths;
  for (const std::int64_t wrong :
       {std::int64_t{0}, std::int64_t{-4}, std::int64_t{3}, INT64_MIN, std::int64_t{1} << 62}) {
    widths = right;
    widths[0] = wrong;
    EXPECT_THROW(blocks.at(widths), Error) << wrong;
  }
  widths = right;
  widths.push_back(1);
  EXPECT_THROW(blocks.at(widths), Error);
  EXPECT_THROW(blocks.at({}), Error);
}

}  // namespace
}  // namespace ampere
