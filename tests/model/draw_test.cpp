#include "model/draw.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "ampere/error.h"
#include "ampere/widths.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

TEST(DrawNetworks, StayWithinTheOriginalWidths) {
  const auto original = free_widths(open_model("cnn5"));
  std::set<std::int64_t> first;
  for (const Model& model : draw_networks("cnn5", 200, 1)) {
    const auto widths = free_widths(model);
    ASSERT_EQ(widths.size(), original.size());
    for (std::size_t i = 0; i < widths.size(); ++i) {
      EXPECT_GE(widths[i].value, 1);
      EXPECT_LE(widths[i].value, original[i].value);
    }
    first.insert(widths[0].value);
  }
  EXPECT_EQ(*first.begin(), 1);
  EXPECT_EQ(*first.rbegin(), 16);
}

TEST(DrawNetworks, AreEqualForEqualSeeds) {
  const auto a = draw_networks("resnet18", 5, 7), b = draw_networks("resnet18", 5, 7),
             c = draw_networks("resnet18", 5, 8);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(model_hash(a[i]), model_hash(b[i]));
  EXPECT_NE(model_hash(a[0]), model_hash(c[0]));
}

// Evaluations and what was fitted for them are named by their seeds: these networks must never
// become others.
TEST(DrawNetworks, AreTheOnesTheyHaveAlwaysBeen) {
  const auto names = [](const std::string& family) {
    std::vector<std::string> drawn;
    for (const Model& model : draw_networks(family, 3, 7)) drawn.push_back(model.name());
    return drawn;
  };
  EXPECT_THAT(names("cnn5"), ElementsAre("cnn5:8,3,15,119", "cnn5:14,13,2,71", "cnn5:2,5,63,114"));
  EXPECT_THAT(names("transformer"),
              ElementsAre("transformer:layers=4,140", "transformer:layers=3,220",
                          "transformer:layers=2,180"));
}

TEST(DrawNetworks, FewerAreTheFirstOfMore) {
  const auto few = draw_networks("transformer", 2, 5), more = draw_networks("transformer", 6, 5);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(few[i].name(), more[i].name());
}

TEST(DrawNetworks, VaryTheDepthOfATransformer) {
  std::set<std::size_t> layers;
  for (const Model& model : draw_networks("transformer", 30, 1))
    layers.insert(model.layers().size());
  EXPECT_EQ(layers.size(), 4u);
}

TEST(DrawNetworks, VaryDepthAndWidthsOfAConvStack) {
  std::set<std::size_t> depths;
  for (const Model& model : draw_networks("conv_stack", 60, 1))
    depths.insert(free_widths(model).size());
  EXPECT_EQ(depths, (std::set<std::size_t>{2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(DrawNetworks, AreNamedByTheModelThatBuildsThemAgain) {
  for (const std::string family :
       {"cnn5", "transformer", "resnet18", "resnet18:size=64", "transformer:d=96,layers=2",
        "cnn5:8,16,32,64", "conv_stack:layers=3"})
    for (const Model& model : draw_networks(family, 3, 3))
      EXPECT_EQ(model_hash(open_model(model.name())), model_hash(model)) << model.name();
}

TEST(DrawNetworks, KeepTheOptionsOfTheirFamily) {
  for (const Model& model : draw_networks("resnet18:size=64", 3, 3)) {
    EXPECT_THAT(model.name(), StartsWith("resnet18:size=64,"));
    EXPECT_EQ(model.layers().front().output,
              open_model("resnet18:size=64").layers().front().output);
  }
  for (const Model& model : draw_networks("transformer:layers=2", 5, 3))
    EXPECT_EQ(model.layers().size(), open_model("transformer:layers=2").layers().size());
}

TEST(DrawNetworks, StayWithinTheWidthsOfTheirFamily) {
  for (const Model& model : draw_networks("cnn5:2,3,4,5", 20, 3)) {
    const auto widths = free_widths(model);
    for (std::size_t i = 0; i < widths.size(); ++i)
      EXPECT_LE(widths[i].value, static_cast<std::int64_t>(i) + 2);
  }
}

TEST(DrawNetworks, OfAnUnknownFamilyAreRefused) {
  EXPECT_THROW(draw_networks("cnn6", 1, 1), Error);
}

TEST(DrawNarrower, AreTheOnesTheyHaveAlwaysBeen) {
  const std::vector<Model> originals{open_model("cnn5"), open_model("lenet5")};
  const std::vector<Model> drawn = draw_narrower(originals, 4, 7);
  const std::vector<std::string> known{"lenet5:1,15,7,62", "cnn5:2,7,34,101", "cnn5:2,16,63,25",
                                       "lenet5:6,2,28,63"};
  ASSERT_EQ(drawn.size(), known.size());
  for (std::size_t i = 0; i < known.size(); ++i)
    EXPECT_EQ(model_hash(drawn[i]), model_hash(open_model(known[i]))) << known[i];
}

TEST(DrawRound, EveryWidthIsSoManyEighths) {
  const std::vector<Model> originals{open_model("cnn5:128,64,32,16")};
  std::set<std::int64_t> eighths;
  for (const Model& drawn : draw_round(originals, 40, 7)) {
    const std::vector<ChannelGroup> widths = free_widths(drawn), full = free_widths(originals[0]);
    ASSERT_EQ(widths.size(), full.size());
    for (std::size_t i = 0; i < widths.size(); ++i) {
      EXPECT_EQ(8 * widths[i].value % full[i].value, 0) << widths[i].value;
      eighths.insert(8 * widths[i].value / full[i].value);
    }
  }
  EXPECT_THAT(eighths, testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(DrawRound, SmallWidthsAndMultiplesAreKept) {
  for (const char* spec : {"cnn5:1,2,3,5", "transformer", "shufflenet_v2", "densenet121"}) {
    const std::vector<Model> originals{open_model(spec)};
    const std::vector<ChannelGroup> full = free_widths(originals[0]);
    for (const Model& drawn : draw_round(originals, 5, 1)) {
      const std::vector<ChannelGroup> widths = free_widths(drawn);
      for (std::size_t i = 0; i < widths.size(); ++i) {
        EXPECT_GE(widths[i].value, widths[i].multiple_of) << spec;
        EXPECT_LE(widths[i].value, full[i].value) << spec;
      }
    }
  }
}

TEST(DrawNarrower, OfNothingAreNone) { EXPECT_THAT(draw_narrower({}, 4, 7), IsEmpty()); }

}  // namespace
}  // namespace ampere
