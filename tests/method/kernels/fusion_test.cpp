#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ampere/error.h"
#include "ampere/model.h"
#include "kernel_text.h"
#include "method/kernels/kernel.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::types;

TEST(FusionRules, AreReadBackFromTextAndFromJson) {
  const FusionRules rules = default_fusion_rules();
  EXPECT_EQ(parse_fusion_rules(to_text(rules), "rules"), rules);
  EXPECT_EQ(parse_fusion_rules(to_json(rules), "rules"), rules);
  const FusionRules none{{}, false};
  EXPECT_EQ(parse_fusion_rules(to_text(none), "rules"), none);
  EXPECT_EQ(parse_fusion_rules(to_json(none), "rules"), none);
}

TEST(FusionRules, TakeASequenceAsItsPairs) {
  const FusionRules rules = parse_fusion_rules("conv+bn+relu, squeeze-excite", "rules");
  EXPECT_TRUE(rules.fuses("conv", "bn"));
  EXPECT_TRUE(rules.fuses("bn", "relu"));
  EXPECT_FALSE(rules.fuses("conv", "relu"));
  EXPECT_TRUE(rules.squeeze_excite);
}

std::string fusion_refusal(const std::string& text) {
  try {
    parse_fusion_rules(text, "rules.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "taken";
}

TEST(FusionRules, RefuseWhatIsNone) {
  EXPECT_THAT(fusion_refusal("conv+rellu"), HasSubstr("did you mean 'relu'?"));
  EXPECT_THAT(fusion_refusal("conv"), HasSubstr("two operators or more"));
  EXPECT_THAT(fusion_refusal("conv+"), HasSubstr("no operator ''"));
  EXPECT_THAT(fusion_refusal(",,"), HasSubstr("two operators"));
  EXPECT_THAT(fusion_refusal("{"), HasSubstr("rules.json"));
  EXPECT_THAT(fusion_refusal("{\"version\": 9}"), HasSubstr("another version"));
  EXPECT_THAT(fusion_refusal("{\"version\": 1, \"fused\": 3}"), HasSubstr("must be a list"));
  EXPECT_THAT(fusion_refusal("{\"version\": 1, \"fused\": [\"a+b\"], \"squeeze_excite\": true}"),
              HasSubstr("fused[0]"));
}

TEST(FusionRules, DecideWhatBecomesOneKernel) {
  const Model model = make_zoo_model("cnn5");
  EXPECT_THAT(types(kernels_of(model, parse_fusion_rules("", "none"))),
              ElementsAre("conv", "relu", "maxpool", "conv", "relu", "maxpool", "conv", "relu",
                          "conv", "relu", "fc"));
  EXPECT_THAT(
      types(kernels_of(model, parse_fusion_rules("conv+relu+maxpool", "pools"))),
      ElementsAre("conv+relu+maxpool", "conv+relu+maxpool", "conv+relu", "conv+relu", "fc"));
}

TEST(FusionRules, LetAnAdditionJoinWhatItReads) {
  const std::vector<Kernel> kernels =
      kernels_of(make_zoo_model("resnet18"), parse_fusion_rules("conv+bn+add+relu", "rules"));
  const auto fused = std::ranges::find(kernels, "conv+bn+add+relu", &Kernel::type);
  ASSERT_NE(fused, kernels.end());
  const std::vector<Kernel> again =
      kernels_of(kernel_model(*fused), parse_fusion_rules("conv+bn+add+relu", "rules"));
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again.front(), *fused);
}

TEST(FusionCandidates, AreTheNeighboursOfANetworkOnceEach) {
  const std::vector<Model> networks{make_zoo_model("resnet18"), make_zoo_model("cnn5")};
  std::vector<std::string> pairs;
  const std::vector<FusionCandidate> candidates = fusion_candidates(networks);
  for (const FusionCandidate& candidate : candidates)
    pairs.push_back(candidate.pair.first + "+" + candidate.pair.second);
  EXPECT_THAT(pairs, ElementsAre("add+relu", "bn+add", "bn+relu", "conv+bn", "conv+relu"));
}

TEST(FusionCandidates, ComeTogetherAndApart) {
  const std::vector<Model> networks{make_zoo_model("cnn5")};
  const FusionRules none = parse_fusion_rules("", "none");
  const std::vector<FusionCandidate> candidates = fusion_candidates(networks);
  ASSERT_EQ(candidates.size(), 1u);
  EXPECT_THAT(types(kernels_of(candidates[0].together, none)), ElementsAre("conv", "relu"));
  EXPECT_THAT(types(kernels_of(candidates[0].first, none)), ElementsAre("conv"));
  EXPECT_THAT(types(kernels_of(candidates[0].second, none)), ElementsAre("relu"));
  EXPECT_EQ(candidates[0].together.output().output, image(16, 28, 28)) << "the largest place";
}

TEST(Fusion, IsWhatSavesMoreThanHalfOfTheSmaller) {
  EXPECT_TRUE(is_fused(10, 10, 2));
  EXPECT_TRUE(is_fused(10.9, 10, 2));
  EXPECT_FALSE(is_fused(11.1, 10, 2));
  EXPECT_FALSE(is_fused(12, 10, 2));
}

TEST(Fusion, IsNotDecidedByCostsThatAreNone) {
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(is_fused(bad, 1, 1), Error);
    EXPECT_THROW(is_fused(1, bad, 1), Error);
    EXPECT_THROW(is_fused(1, 1, bad), Error);
  }
}

}  // namespace
}  // namespace ampere
