#include <gtest/gtest.h>

#include <set>

#include "ampere/model.h"
#include "ampere/widths.h"
#include "model/draw.h"

namespace ampere {
namespace {

// The families whose variants DeepEn2023 measured.
class Variants : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Draw, Variants,
                         testing::Values("alexnet", "densenet121", "googlenet", "mobilenet_v1",
                                         "mobilenet_v2", "proxylessnas", "resnet18",
                                         "shufflenet_v2", "squeezenet"),
                         [](const auto& tested) { return tested.param; });

TEST_P(Variants, HaveOtherChannelsAndKernelsAtTheSameExtents) {
  const Model original = make_zoo_model(GetParam());
  std::set<std::int64_t> kernels;
  std::set<std::string> hashes;
  const std::vector<Model> variants = draw_variants(original, 5, 1);
  ASSERT_EQ(variants.size(), 5u);
  for (const Model& variant : variants) {
    hashes.insert(model_hash(variant));
    ASSERT_EQ(variant.layers().size(), original.layers().size());
    for (std::size_t i = 0; i < variant.layers().size(); ++i) {
      EXPECT_EQ(variant.layers()[i].output.extent, original.layers()[i].output.extent)
          << original.layers()[i].name;
      const auto* conv = std::get_if<Conv>(&variant.layers()[i].op);
      if (conv != nullptr && std::get<Conv>(original.layers()[i].op).kernel[0] > 1) {
        EXPECT_EQ(conv->kernel[0] % 2, 1);
        EXPECT_EQ(conv->kernel[0], conv->kernel[1]);
        kernels.insert(conv->kernel[0]);
      }
    }
    EXPECT_EQ(variant.output().output, original.output().output);
  }
  EXPECT_EQ(hashes.size(), 5u);
  EXPECT_GE(kernels.size(), 3u);
}

TEST_P(Variants, AreBothNarrowerAndWider) {
  const Model original = make_zoo_model(GetParam());
  const Model variant = draw_variants(original, 1, 7).front();
  const std::vector<ChannelGroup> before = free_widths(original), after = free_widths(variant);
  ASSERT_EQ(before.size(), after.size());
  int narrower = 0, wider = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_LE(5 * after[i].value, 9 * before[i].value);
    narrower += after[i].value < before[i].value;
    wider += after[i].value > before[i].value;
  }
  EXPECT_GT(narrower, 0);
  EXPECT_GT(wider, 0);
}

TEST(DrawnVariants, AreTheSameForTheSameSeedAndTheFirstOfMore) {
  const Model original = make_zoo_model("cnn5");
  const std::vector<Model> few = draw_variants(original, 3, 5),
                           many = draw_variants(original, 6, 5);
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(to_json(few[i]), to_json(many[i]));
  EXPECT_NE(to_json(draw_variants(original, 1, 6).front()), to_json(few.front()));
  EXPECT_TRUE(draw_variants(original, 0, 5).empty());
}

TEST(DrawnVariants, OfNetworksWithoutConvolutionsHaveOtherWidths) {
  const std::vector<Model> variants = draw_variants(make_zoo_model("transformer"), 4, 1);
  std::set<std::string> hashes;
  for (const Model& variant : variants) hashes.insert(model_hash(variant));
  EXPECT_GT(hashes.size(), 1u);
}

}  // namespace
}  // namespace ampere
