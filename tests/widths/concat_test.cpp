// Numbers that happen to be equal make no difference where blocks are computed.
#include <gtest/gtest.h>

#include <algorithm>

#include "ampere/error.h"
#include "ampere/model.h"
#include "profiles.h"
#include "random_network.h"
#include "same_blocks.h"

namespace ampere {
namespace {

bool joins_channels(const Model& model) {
  return std::ranges::any_of(model.layers(), [](const Layer& layer) {
    const Concat* concat = std::get_if<Concat>(&layer.op);
    return concat != nullptr && !concat->axis;
  });
}

std::vector<Model> zoo_with_concatenations() {
  std::vector<Model> models;
  for (const ZooEntry& entry : zoo())
    if (Model model = make_zoo_model(entry.name); joins_channels(model))
      models.push_back(std::move(model));
  return models;
}

// The last part of each concatenation of some parts has as many channels as the others together.
std::vector<std::int64_t> last_is_sum(const Model& model) {
  ChannelMap map = map_channels(model);
  for (std::size_t i = 0; i < model.layers().size(); ++i) {
    const auto& parts = map.of_layer[i];
    if (!std::holds_alternative<Concat>(model.layers()[i].op) || parts.size() < 2 ||
        parts.size() > 4)
      continue;
    std::int64_t sum = 0;
    for (std::size_t part = 0; part + 1 < parts.size(); ++part)
      sum += parts[part].multiple * map.groups[parts[part].group].value;
    ChannelGroup& last = map.groups[parts.back().group];
    if (!last.fixed) last.value = sum * last.multiple_of;
  }
  std::vector<std::int64_t> widths;
  for (const ChannelGroup& group : map.groups)
    if (!group.fixed) widths.push_back(group.value);
  return widths;
}

TEST(Concatenations, OfTheZooAreComputed) {
  const std::vector<Model> models = zoo_with_concatenations();
  EXPECT_GE(models.size(), 4u);
  for (const Model& model : models) {
    const WidthBlocks blocks(model, {});
    EXPECT_TRUE(std::ranges::all_of(blocks.places(), &WidthBlocks::Place::computed))
        << model.name();
  }
}

TEST(Concatenations, AreThoseOfTheNetworkWhateverNumbersCoincide) {
  const ampere::Setup setup{.batch = 3};
  for (const Model& model : zoo_with_concatenations()) {
    SCOPED_TRACE(model.name());
    WidthBlocks blocks(model, setup);
    std::vector<std::vector<std::int64_t>> list = coinciding_widths(model, 4, 7);
    for (auto& widths : draw_widths(make_space(model), 4, 7)) list.push_back(std::move(widths));
    list.push_back(last_is_sum(model));
    for (const auto& widths : list) expect_same(blocks, model, widths, setup);
  }
}

Conv pointwise(std::int64_t channels) { return {channels, {1, 1}, {1, 1}, {0, 0}, {1, 1}}; }

Model with_head(ModelBuilder builder) {
  builder.add(AdaptivePool{{1, 1}});
  builder.add(Flatten{});
  builder.add(Linear{10});
  return std::move(builder).build();
}

void expect_same_at_small_widths(const Model& model) {
  WidthBlocks blocks(model, {});
  for (const auto& widths : coinciding_widths(model, 8, 1)) expect_same(blocks, model, widths, {});
}

// The network knows that the first two parts are equal, so that together they are even; the block
// that joins them does not.
TEST(Concatenations, OfPartsThatAreDivisibleTogetherAlone) {
  ModelBuilder builder("odd");
  const int data = builder.add(Input{image(3, 4, 4)});
  const int first = builder.add(pointwise(4), {data});
  const int second = builder.add(pointwise(4), {data});
  const int sum = builder.add(Add{}, {first, second});
  const int third = builder.add(pointwise(8), {sum});
  builder.add(Concat{}, {first, second, third});
  builder.add(GroupNorm{2});
  const Model model = with_head(std::move(builder));
  ASSERT_EQ(free_widths(model)[0].multiple_of, 1);
  expect_same_at_small_widths(model);
}

// More than a list of channels may have, though of one width.
TEST(Concatenations, OfTooManyParts) {
  ModelBuilder builder("many");
  builder.add(Input{image(3, 4, 4)});
  const int first = builder.add(pointwise(4));
  std::vector<int> parts;
  for (int i = 0; i < 130; ++i) {
    Conv depthwise = pointwise(0);
    depthwise.depthwise = true;
    parts.push_back(builder.add(depthwise, {first}));
  }
  builder.add(Concat{}, parts);
  const Model model = with_head(std::move(builder));
  ASSERT_EQ(free_widths(model).size(), 1u);
  expect_same_at_small_widths(model);
}

// Most of what joins, divides and shuffles channels in ways that nobody thought of.
TEST(Concatenations, OfRandomNetworksAreThoseOfTheNetwork) {
  int computed = 0, cut = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Model model = random_network(seed);
    SCOPED_TRACE(to_json(model));
    WidthBlocks blocks(model, {});
    for (const WidthBlocks::Place& place : blocks.places()) ++(place.computed ? computed : cut);
    for (const auto& widths : coinciding_widths(model, 6, seed))
      expect_same(blocks, model, widths, {});
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_GT(computed, cut);
  EXPECT_GT(cut, 0);
}

}  // namespace
}  // namespace ampere
