#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ampere/error.h"
#include "ampere/widths.h"
#include "profiles.h"

namespace ampere {
namespace {

std::string failure_of(const Model& model, const SpaceOptions& options) {
  try {
    make_space(model, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "";
}

TEST(WidthSpace, HasAllFreeWidthsUpToTheOriginal) {
  const Model model = open_model("cnn5");
  const WidthSpace space = make_space(model);
  const std::vector<ChannelGroup> free = free_widths(model);
  ASSERT_EQ(space.widths.size(), free.size());
  for (std::size_t i = 0; i < free.size(); ++i) {
    EXPECT_EQ(space.widths[i].name, free[i].name);
    EXPECT_EQ(space.widths[i].least, 1);
    EXPECT_EQ(space.widths[i].most, free[i].value);
    EXPECT_EQ(space.widths[i].choices(), free[i].value);
  }
}

TEST(WidthSpace, EveryNetworkOfItCanBeBuilt) {
  for (const char* spec :
       {"cnn5", "resnet18", "mobilenet_v2", "transformer", "lstm", "shufflenet_v2"})
    for (const std::int64_t align : {1, 8, 48}) {
      const Model model = open_model(spec);
      const WidthSpace space = make_space(model, {.align = align});
      for (const auto& widths : draw_widths(space, 5, 1))
        EXPECT_EQ(with_widths(model, widths).layers().size(), model.layers().size()) << spec;
    }
}

TEST(WidthSpace, HeadsAndGroupsKeepTheirMultiples) {
  const Model transformer = open_model("transformer");
  const std::vector<ChannelGroup> free = free_widths(transformer);
  const WidthSpace space = make_space(transformer, {.align = 6});
  bool seen = false;
  for (std::size_t i = 0; i < free.size(); ++i) {
    seen = seen || free[i].multiple_of > 1;
    for (std::int64_t choice = 0; choice < space.widths[i].choices(); ++choice)
      EXPECT_EQ(space.widths[i].choice(choice) % free[i].multiple_of, 0);
  }
  EXPECT_TRUE(seen) << "there are heads";

  ModelBuilder builder("grouped");
  builder.add(Input{image(3, 8, 8)}, "data");
  builder.add(Conv{12, {3, 3}, {1, 1}, {1, 1}, {1, 1}}, "first");
  builder.add(Conv{24, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 4}, "grouped");
  builder.add(AdaptivePool{{1, 1}});
  builder.add(Flatten{});
  builder.add(Linear{10}, "classes");
  const WidthSpace grouped = make_space(std::move(builder).build());
  ASSERT_EQ(grouped.widths.size(), 2u);
  EXPECT_EQ(grouped.widths[0].least, 4);
  EXPECT_EQ(grouped.widths[0].choices(), 3);
  EXPECT_EQ(grouped.widths[1].choices(), 6);
}

TEST(WidthSpace, AlignedWidthsAreMultiplesOrTheOriginal) {
  const WidthSpace space = make_space(open_model("lenet5"), {.align = 8});
  for (const WidthRange& range : space.widths)
    for (std::int64_t choice = 0; choice < range.choices(); ++choice) {
      const std::int64_t width = range.choice(choice);
      EXPECT_TRUE(range.most < 16 || width % 8 == 0 || width == range.most)
          << range.name << " " << width;
    }
  EXPECT_EQ(space.widths[0].step, 1) << "6 channels are too few to align";
  EXPECT_EQ(space.widths[3].choice(space.widths[3].choices() - 1), 84);
  EXPECT_EQ(space.widths[3].choice(space.widths[3].choices() - 2), 80);
}

TEST(WidthSpace, TheLeastWidthHolds) {
  const Model model = open_model("cnn5");
  const WidthSpace space = make_space(model, {.min_width = 20, .min_share = 0.3, .align = 8});
  for (const WidthRange& range : space.widths) {
    EXPECT_GE(range.least, std::min<std::int64_t>(20, range.most));
    EXPECT_GE(static_cast<double>(range.least), 0.3 * static_cast<double>(range.most));
    EXPECT_LE(range.choice(0), range.choice(range.choices() - 1));
  }
}

TEST(WidthSpace, WhatIsLeftAloneKeepsItsWidth) {
  const Model model = open_model("resnet18");
  const WidthSpace all = make_space(model);
  const std::string name = all.widths[1].name;
  const WidthSpace space = make_space(model, {.leave_alone = {name}});
  for (std::size_t i = 0; i < all.widths.size(); ++i)
    EXPECT_EQ(space.widths[i].choices(), i == 1 ? 1 : all.widths[i].choices());

  const ChannelMap channels = map_channels(model);
  const Layer& tied = model.layers()[model.layers().size() / 3];  // by any layer of a group
  const WidthSpace by_layer = make_space(model, {.leave_alone = {tied.name}});
  int alone = 0;
  for (const WidthRange& range : by_layer.widths) alone += range.choices() == 1 ? 1 : 0;
  EXPECT_EQ(alone, 1);
}

TEST(WidthSpace, AnUnknownNameListsTheWidths) {
  const Model model = open_model("cnn5");
  const std::string message = failure_of(model, {.leave_alone = {"conv99"}});
  EXPECT_THAT(message, testing::HasSubstr("conv99"));
  for (const ChannelGroup& group : free_widths(model))
    EXPECT_THAT(message, testing::HasSubstr(group.name));
}

TEST(WidthSpace, NothingToPruneIsAnError) {
  const Model model = open_model("cnn5");
  std::vector<std::string> names;
  for (const ChannelGroup& group : free_widths(model)) names.push_back(group.name);
  EXPECT_THAT(failure_of(model, {.leave_alone = names}),
              testing::HasSubstr("nothing left to prune"));
  EXPECT_THAT(failure_of(model, {.min_share = 1}), testing::HasSubstr("nothing left to prune"));
  ModelBuilder builder("tiny");
  builder.add(Input{flat(4)});
  builder.add(Linear{2});
  EXPECT_THAT(failure_of(std::move(builder).build(), {}), testing::HasSubstr("nothing to prune"));
}

TEST(WidthSpace, OptionsOutOfRangeAreRefused) {
  const Model model = open_model("cnn5");
  EXPECT_NE(failure_of(model, {.min_width = 0}), "");
  EXPECT_NE(failure_of(model, {.min_share = -0.1}), "");
  EXPECT_NE(failure_of(model, {.min_share = 1.1}), "");
  EXPECT_NE(failure_of(model, {.min_share = NAN}), "");
  EXPECT_NE(failure_of(model, {.align = 0}), "");
  EXPECT_NE(failure_of(model, {.min_width = INT64_MAX}), "");
  EXPECT_EQ(make_space(model, {.align = INT64_MAX}).widths[0].step, 1);
}

}  // namespace
}  // namespace ampere
