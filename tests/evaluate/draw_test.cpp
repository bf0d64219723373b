#include <gtest/gtest.h>

#include <set>

#include "ampere/channels.h"
#include "ampere/error.h"
#include "ampere/evaluate.h"

namespace ampere {
namespace {

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

TEST(DrawNetworks, VaryTheDepthOfATransformer) {
  std::set<std::size_t> layers;
  for (const Model& model : draw_networks("transformer", 30, 1))
    layers.insert(model.layers().size());
  EXPECT_EQ(layers.size(), 4u);
}

TEST(DrawNetworks, AreNamedByTheModelThatBuildsThemAgain) {
  for (const std::string family : {"cnn5", "transformer", "resnet18"})
    for (const Model& model : draw_networks(family, 3, 3))
      EXPECT_EQ(model_hash(open_model(model.name())), model_hash(model)) << model.name();
}

TEST(DrawNetworks, OfAnUnknownFamilyAreRefused) {
  EXPECT_THROW(draw_networks("cnn6", 1, 1), Error);
}

}  // namespace
}  // namespace ampere
