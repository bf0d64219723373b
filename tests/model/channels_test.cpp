#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <functional>

#include "ampere/widths.h"
#include "every_op.h"

namespace ampere {
namespace {

using testing::ElementsAre;

// "conv1", "conv1*49", "conv1+conv2": the channels of a layer in words.
std::string channels_of(const ChannelMap& map, int layer) {
  std::vector<std::string> terms;
  for (const ChannelSegment& segment : map.of_layer[layer]) {
    const std::string& name = map.groups[segment.group].name;
    terms.push_back(segment.multiple == 1 ? name : fmt::format("{}*{}", name, segment.multiple));
  }
  return fmt::format("{}", fmt::join(terms, "+"));
}

std::vector<std::string> free_names(const Model& model) {
  std::vector<std::string> names;
  for (const ChannelGroup& group : free_widths(model)) names.push_back(group.name);
  return names;
}

void expect_sums_to_be_channels(const Model& model) {
  const ChannelMap map = map_channels(model);
  for (std::size_t i = 0; i < model.layers().size(); ++i) {
    const TensorShape& shape = model.layers()[i].output;
    std::int64_t sum = 0;
    for (const ChannelSegment& segment : map.of_layer[i])
      sum += segment.multiple * map.groups[segment.group].value;
    const bool counted = shape.layout != Layout::tokens && shape.layout != Layout::tensor;
    EXPECT_EQ(sum, counted ? shape.channels : 0) << model.layers()[i].name;
  }
}

TEST(Channels, AddUpToTheShapesOfEveryLayer) {
  expect_sums_to_be_channels(every_op());
  expect_sums_to_be_channels(further_ops());
  expect_sums_to_be_channels(table_ops());
}

TEST(Channels, DataAndClassesAreFixed) {
  ModelBuilder builder("net");
  builder.add(Input{image(3, 8, 8)});
  builder.add(conv(4, 3));
  builder.add(Flatten{});
  builder.add(Linear{10}, "fc");
  const Model model = std::move(builder).build();
  EXPECT_THAT(free_names(model), ElementsAre("conv1"));
  const ChannelMap map = map_channels(model, OutputChannels::free);
  EXPECT_TRUE(map.groups[0].fixed);
  EXPECT_FALSE(map.groups[2].fixed);
  EXPECT_EQ(map.groups[2].name, "fc");
}

TEST(Channels, ABoundaryVaries) {
  ModelBuilder builder("block");
  builder.add(Input{image(8, 8, 8), true}, "c_in");
  builder.add(conv(4, 3), "conv");
  const Model model = std::move(builder).build();
  const auto widths = free_widths(model, OutputChannels::free);
  ASSERT_EQ(widths.size(), 2u);
  EXPECT_EQ(widths[0].name, "c_in");
  EXPECT_EQ(widths[1].value, 4);
}

TEST(Channels, FlattenMultipliesThem) {
  ModelBuilder builder("net");
  builder.add(Input{image(1, 9, 9)});
  builder.add(conv(4, 3), "conv");
  const int flat_layer = builder.add(Flatten{});
  builder.add(Linear{10});
  const Model model = std::move(builder).build();
  EXPECT_EQ(channels_of(map_channels(model), flat_layer), "conv*49");
}

TEST(Channels, ResidualAddTiesThem) {
  ModelBuilder builder("net");
  builder.add(Input{image(3, 8, 8)});
  const int stem = builder.add(conv(8, 3, 1), "stem");
  builder.add(conv(5, 3, 1), "inner");
  const int last = builder.add(conv(8, 3, 1), "last");
  builder.add(Add{}, {stem, last});
  builder.add(AdaptivePool{});
  builder.add(Flatten{});
  builder.add(Linear{10});
  const Model model = std::move(builder).build();
  EXPECT_THAT(free_names(model), ElementsAre("stem", "inner"));
  EXPECT_EQ(channels_of(map_channels(model), last), "stem");
}

TEST(Channels, AnAddWithRawDataCannotVary) {
  ModelBuilder builder("net");
  const int input = builder.add(Input{flat(8)});
  const int linear = builder.add(Linear{8}, "linear");
  builder.add(Add{}, {input, linear});
  builder.add(Linear{10});
  EXPECT_THAT(free_names(std::move(builder).build()), ElementsAre());
}

TEST(Channels, DepthwiseNormAndActivationKeepThem) {
  ModelBuilder builder("net");
  builder.add(Input{image(3, 8, 8)});
  builder.add(conv(8, 3, 1), "conv");
  builder.add(BatchNorm{});
  builder.add(depthwise(3, 1));
  builder.add(Activation{});
  const int pool = builder.add(max_pool(2));
  builder.add(conv(10, 1));
  EXPECT_EQ(channels_of(map_channels(std::move(builder).build()), pool), "conv");
}

TEST(Channels, ConcatLinesThemUp) {
  ModelBuilder builder("net");
  const int input = builder.add(Input{image(3, 8, 8)});
  const int a = builder.add(conv(4, 1), {input}, "a");
  const int b = builder.add(conv(6, 1), {input}, "b");
  const int both = builder.add(Concat{}, {a, b});
  const int flat_layer = builder.add(Flatten{});
  builder.add(Linear{10});
  const Model model = std::move(builder).build();
  EXPECT_EQ(channels_of(map_channels(model), both), "a+b");
  EXPECT_EQ(channels_of(map_channels(model), flat_layer), "a*64+b*64");
  EXPECT_THAT(free_names(model), ElementsAre("a", "b"));
}

// a (4) and b (6) lined up, added to what `other` makes of the input.
Model concat_added_to(const std::vector<std::int64_t>& other) {
  ModelBuilder builder("net");
  const int input = builder.add(Input{image(3, 8, 8)});
  const int a = builder.add(conv(4, 1), {input}, "a");
  const int b = builder.add(conv(6, 1), {input}, "b");
  const int left = builder.add(Concat{}, {a, b});
  std::vector<int> parts;
  for (const std::int64_t width : other) parts.push_back(builder.add(conv(width, 1), {input}));
  const int right = parts.size() == 1 ? parts[0] : builder.add(Concat{}, parts);
  builder.add(Add{}, {left, right});
  builder.add(conv(10, 1));
  return std::move(builder).build();
}

TEST(Channels, AddTiesConcatsPieceByPiece) {
  EXPECT_THAT(free_names(concat_added_to({4, 6})), ElementsAre("a", "b"));
}

TEST(Channels, AnAddThatCannotBeSaidInGroupsIsPinned) {
  EXPECT_THAT(free_names(concat_added_to({10})), ElementsAre());
  EXPECT_THAT(free_names(concat_added_to({6, 4})), ElementsAre());
  expect_sums_to_be_channels(concat_added_to({10}));
}

TEST(Channels, AddOfAFlattenedAndAPlainTensorTiesThemInProportion) {
  ModelBuilder builder("net");
  const int input = builder.add(Input{image(3, 2, 2)});
  builder.add(conv(6, 1), "conv");
  const int flattened = builder.add(Flatten{});
  builder.add(AdaptivePool{}, {input});
  builder.add(Flatten{});
  const int linear = builder.add(Linear{24}, "linear");
  builder.add(Add{}, {flattened, linear});
  builder.add(Linear{10});
  const Model model = std::move(builder).build();
  EXPECT_THAT(free_names(model), ElementsAre("conv"));
  EXPECT_EQ(channels_of(map_channels(model), linear), "conv*4");
}

TEST(Channels, UnevenProportionsShareAUnit) {
  ModelBuilder builder("net");
  const int input = builder.add(Input{image(3, 6, 1)});
  builder.add(conv(4, 1), {input}, "a");
  builder.add(AdaptivePool{{3, 1}});
  const int a = builder.add(Flatten{});
  builder.add(conv(6, 1), {input}, "b");
  builder.add(AdaptivePool{{2, 1}});
  const int b = builder.add(Flatten{});
  builder.add(Add{}, {a, b});
  builder.add(Linear{10});
  const Model model = std::move(builder).build();
  const auto widths = free_widths(model);
  ASSERT_EQ(widths.size(), 1u);
  EXPECT_EQ(widths[0].value, 2);  // a is 2 of them, b is 3
  EXPECT_EQ(with_widths(model, std::vector<std::int64_t>{1}).layers()[1].output.channels, 2);
}

TEST(Channels, SqueezeAndExciteTiesTheGate) {
  const Model model = open_model(AMPERE_TEST_DATA "/models/squeeze_excite.json");
  EXPECT_THAT(free_names(model), ElementsAre("stem", "reduce"));
}

TEST(Channels, ShuffleTiesWhatItMixes) {
  ModelBuilder builder("net");
  const int input = builder.add(Input{image(3, 8, 8)});
  const int a = builder.add(conv(4, 1), {input}, "a");
  const int b = builder.add(conv(4, 1), {input}, "b");
  builder.add(Concat{}, {a, b});
  const int shuffled = builder.add(ChannelShuffle{2});
  const int left = builder.add(Chunk{2, 0}, {shuffled});
  const int right = builder.add(Chunk{2, 1}, {shuffled});
  builder.add(Concat{}, {left, right});
  builder.add(conv(10, 1));
  const Model model = std::move(builder).build();
  const ChannelMap map = map_channels(model);
  EXPECT_THAT(free_names(model), ElementsAre("a"));
  EXPECT_EQ(channels_of(map, shuffled), "a*2");
  EXPECT_EQ(channels_of(map, left), "a");
  EXPECT_EQ(channels_of(map, right), "a");
}

TEST(Channels, ChunksOfTwoGroupsTieThem) {
  ModelBuilder builder("net");
  const int input = builder.add(Input{image(3, 8, 8)});
  const int a = builder.add(conv(4, 1), {input}, "a");
  const int b = builder.add(conv(4, 1), {input}, "b");
  builder.add(Concat{}, {a, b});
  const int right = builder.add(Chunk{2, 1});
  builder.add(conv(10, 1));
  const Model model = std::move(builder).build();
  EXPECT_THAT(free_names(model), ElementsAre("a"));
  EXPECT_EQ(channels_of(map_channels(model), right), "a");
}

TEST(Channels, AChunkOfOneGroupMakesItsHalfTheGroup) {
  ModelBuilder builder("net");
  builder.add(Input{image(3, 8, 8)});
  const int whole = builder.add(conv(8, 1), "conv");
  builder.add(Chunk{2, 0});
  builder.add(conv(10, 1));
  const Model model = std::move(builder).build();
  EXPECT_EQ(channels_of(map_channels(model), whole), "conv*2");
  EXPECT_EQ(free_widths(model)[0].value, 4);
  EXPECT_EQ(with_widths(model, std::vector<std::int64_t>{3}).layers()[1].output.channels, 6);
}

TEST(Channels, AChunkAcrossGroupsIsPinned) {
  ModelBuilder builder("net");
  const int input = builder.add(Input{image(3, 8, 8)});
  const int a = builder.add(conv(3, 1), {input}, "a");
  const int b = builder.add(conv(5, 1), {input}, "b");
  builder.add(Concat{}, {a, b});
  builder.add(Chunk{2, 1});
  builder.add(conv(10, 1));
  const Model model = std::move(builder).build();
  EXPECT_THAT(free_names(model), ElementsAre());
  expect_sums_to_be_channels(model);
}

TEST(Channels, HeadsAndGroupsAskForMultiples) {
  ModelBuilder builder("net");
  builder.add(Input{tokens(8, 100)});
  builder.add(Embedding{24}, "embedding");
  builder.add(SelfAttention{4});
  builder.add(SelfAttention{6});
  builder.add(Linear{10});
  EXPECT_EQ(free_widths(std::move(builder).build())[0].multiple_of, 12);

  ModelBuilder image_builder("net");
  image_builder.add(Input{image(3, 8, 8)});
  image_builder.add(conv(8, 1), "before");
  image_builder.add(grouped(12, 3, 4), "grouped");
  image_builder.add(conv(10, 1));
  const auto widths = free_widths(std::move(image_builder).build());
  EXPECT_EQ(widths[0].multiple_of, 4);
  EXPECT_EQ(widths[1].multiple_of, 4);
}

TEST(Channels, AMultipleIsSharedWithTheSegment) {
  ModelBuilder builder("net");
  const int input = builder.add(Input{image(3, 8, 8)});
  const int a = builder.add(conv(6, 1), {input}, "a");
  builder.add(Concat{}, {a, a});
  builder.add(grouped(8, 1, 4));
  builder.add(conv(10, 1));
  EXPECT_EQ(free_widths(std::move(builder).build())[0].multiple_of, 2);
}

TEST(Channels, GroupsOverPiecesThatDoNotDivideArePinned) {
  ModelBuilder builder("net");
  const int input = builder.add(Input{image(3, 8, 8)});
  const int a = builder.add(conv(3, 1), {input}, "a");
  const int b = builder.add(conv(5, 1), {input}, "b");
  builder.add(Concat{}, {a, b});
  builder.add(grouped(8, 1, 4), "grouped");
  builder.add(conv(10, 1));
  EXPECT_THAT(free_names(std::move(builder).build()), ElementsAre("grouped"));
}

Model feed_forward(const std::string& module, std::int64_t inner) {
  ModelBuilder builder("net");
  builder.add(Input{tokens(8, 100)});
  const int before = builder.add(Embedding{16}, "embedding");
  builder.module(module);
  builder.add(Linear{inner}, "inner");
  const int after = builder.add(Linear{16}, "outer");
  builder.add(Add{}, {before, after});
  builder.module("");
  builder.add(TokenMean{});
  builder.add(Linear{10});
  return std::move(builder).build();
}

TEST(Channels, InsideAModuleMultiplesScaleWithItsInput) {
  const Model model = feed_forward("encoder0", 64);
  EXPECT_THAT(free_names(model), ElementsAre("embedding"));
  EXPECT_EQ(channels_of(map_channels(model), 2), "embedding*4");
  EXPECT_THAT(free_names(feed_forward("encoder0", 65)), ElementsAre("embedding", "inner"));
  EXPECT_THAT(free_names(feed_forward("", 64)), ElementsAre("embedding", "inner"));
}

TEST(Channels, AModuleOnRawDataDoesNotScaleWithThem) {
  ModelBuilder builder("net");
  builder.add(Input{image(1, 8, 8)});
  builder.module("stem");
  builder.add(conv(16, 3), "conv");
  builder.module("");
  builder.add(conv(10, 1));
  EXPECT_THAT(free_names(std::move(builder).build()), ElementsAre("conv"));
}

TEST(Channels, AVocabularyIsNoChannelCount) {
  const Model model = feed_forward("", 64);
  EXPECT_TRUE(map_channels(model).of_layer[0].empty());
}

Model behind_width(const std::function<void(ModelBuilder&)>& body) {
  ModelBuilder builder("net");
  builder.add(Input{image(3, 4, 4)});
  builder.add(conv(8, 1), "width");
  body(builder);
  return std::move(builder).build();
}

TEST(Channels, KeepTheirPlaceThroughWhatWorksOnPositions) {
  const std::vector<std::function<void(ModelBuilder&)>> bodies{
      [](ModelBuilder& net) { net.add(LayerNorm{}); },
      [](ModelBuilder& net) { net.add(Scale{true}); },
      [](ModelBuilder& net) { net.add(PRelu{}); },
      [](ModelBuilder& net) {
        net.add(Pad{{1}, {0}});
      },
      [](ModelBuilder& net) { net.add(Upsample{{7}}); },
      [](ModelBuilder& net) {
        net.add(Slice{2, 0, 2});
      },
      [](ModelBuilder& net) {
        net.add(Gather{2, 7});
      },
      [](ModelBuilder& net) { net.add(Softmax{1}); },
      [](ModelBuilder& net) {
        net.add(Reduce{Reduction::mean, {1, 2}});
      },
      [](ModelBuilder& net) {
        net.add(ToSequence{}), net.add(FromSequence{{2, 8}});
      },
      [](ModelBuilder& net) { net.add(Reshape{line(8, 16)}); },
      [](ModelBuilder& net) {
        net.add(AdaptivePool{}), net.add(Flatten{}), net.add(Reshape{image(8, 1, 1)});
        net.add(Expand{image(8, 4, 4)});
      },
      [](ModelBuilder& net) {
        net.add(Concat{1}, {net.last(), net.last()});
      },
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Model model = behind_width([&](ModelBuilder& net) {
      bodies[i](net);
      net.add(AdaptivePool{});
      net.add(Flatten{});
      net.add(Linear{10});
    });
    EXPECT_THAT(free_names(model), ElementsAre("width")) << i;
    EXPECT_EQ(with_widths(model, std::vector<std::int64_t>{5}).output().output, flat(10)) << i;
  }
}

TEST(Channels, AreFixedByWhatTakesThemApart) {
  const std::vector<std::function<void(ModelBuilder&)>> bodies{
      [](ModelBuilder& net) {
        net.add(Slice{{}, 2, 5});
      },
      [](ModelBuilder& net) {
        net.add(Gather{{}, 5});
      },
      [](ModelBuilder& net) {
        net.add(Permute{{1, 2, 0}});
      },
      [](ModelBuilder& net) { net.add(Reshape{image(4, 8, 4)}); },
      [](ModelBuilder& net) {
        net.add(Reshape{tensor({2, 4, 16})});
      },
      [](ModelBuilder& net) {
        net.add(MatMul{}, {net.last(), net.last()});
      },
      [](ModelBuilder& net) {
        const int x = net.last();
        net.add(Add{}, {x, net.add(Parameter{tensor({8, 1, 1})})});
      },
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Model model = behind_width([&](ModelBuilder& net) {
      bodies[i](net);
      net.add(Flatten{});
      net.add(Linear{10});
    });
    EXPECT_THAT(free_names(model), testing::IsEmpty()) << i;
    expect_sums_to_be_channels(model);
  }
}

TEST(Channels, ReducedChannelsDoNotFixThoseTheyCameFrom) {
  const Model model = behind_width([](ModelBuilder& net) {
    const int x = net.last();
    const int mean = net.add(Reduce{Reduction::mean, {0}});
    net.add(Subtract{}, {x, mean});
    net.add(Flatten{});
    net.add(Linear{10});
  });
  EXPECT_THAT(free_names(model), ElementsAre("width"));
  EXPECT_EQ(with_widths(model, std::vector<std::int64_t>{5}).layers()[3].output, image(5, 4, 4));
}

TEST(Channels, OfAParameterFollowWhatItIsAddedTo) {
  const Model model = behind_width([](ModelBuilder& net) {
    const int x = net.last();
    net.add(Add{}, {x, net.add(Parameter{image(8, 1, 1)}, "own")});
    net.add(Flatten{});
    net.add(Linear{10});
  });
  EXPECT_THAT(free_names(model), ElementsAre("width"));
  EXPECT_EQ(with_widths(model, std::vector<std::int64_t>{5}).layers()[2].output, image(5, 1, 1));
}

TEST(Channels, BothDirectionsOfARecurrentLayerAreOneWidth) {
  ModelBuilder builder("net");
  builder.add(Input{tokens(8, 100)});
  builder.add(Embedding{6}, "embedding");
  builder.add(Recurrent{Cell::gru, 5, true}, "gru");
  builder.add(Linear{10});
  const Model model = std::move(builder).build();
  EXPECT_EQ(channels_of(map_channels(model), 2), "gru*2");
  EXPECT_EQ(with_widths(model, std::vector<std::int64_t>{6, 3}).layers()[2].output, sequence(8, 6));
}

TEST(Channels, GroupsOfANormDivideThem) {
  const Model model = behind_width([](ModelBuilder& net) {
    net.add(GroupNorm{4});
    net.add(Flatten{});
    net.add(Linear{10});
  });
  EXPECT_EQ(free_widths(model)[0].multiple_of, 4);
}

TEST(Channels, LongChainsOfSumsInEitherOrderAreOneGroup) {
  ModelBuilder builder("net");
  builder.add(Input{image(3, 1, 1)});
  int x = builder.add(conv(4, 1), "width");
  for (int i = 0; i < 3000; ++i) {
    const int branch = builder.add(conv(4, 1), {x});
    x = i % 2 ? builder.add(Add{}, {branch, x}) : builder.add(Add{}, {x, branch});
  }
  builder.add(Flatten{});
  builder.add(Linear{10});
  EXPECT_THAT(free_names(std::move(builder).build()), ElementsAre("width"));
}

TEST(Channels, EndlessConcatsStaySmall) {
  ModelBuilder builder("net");
  const int input = builder.add(Input{flat(3)});
  const int a = builder.add(Linear{1}, {input}, "a");
  const int b = builder.add(Linear{1}, {input}, "b");
  int all = builder.add(Concat{}, {a, b});
  for (int i = 0; i < 20; ++i) all = builder.add(Concat{}, {all, all});
  builder.add(Linear{2}, {all});
  const Model model = std::move(builder).build();
  const ChannelMap map = map_channels(model);
  for (const auto& segments : map.of_layer) EXPECT_LE(segments.size(), 128u);
  EXPECT_TRUE(map.groups[1].fixed);
  expect_sums_to_be_channels(model);
}

}  // namespace
}  // namespace ampere
