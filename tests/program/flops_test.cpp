#include <gmock/gmock.h>

#include "program/programs.h"
#include "support/error_of.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Call;
using testing_support::error_of;
using testing_support::flops;

TEST(Flops, AProductHasTwoPerMultiplyAdd) {
  const double one = 2.0 * 8 * 9 * 4;
  EXPECT_EQ(flops("mm", R"("fp32[8,9]", "fp32[9,4]")", R"("fp32[8,4]")"), one);
  EXPECT_EQ(flops("addmm", R"("fp32[4]", "fp32[8,9]", "fp32[9,4]{1,9}")", R"("fp32[8,4]")"), one);
  EXPECT_EQ(flops("bmm", R"("bf16[3,8,9]", "bf16[3,9,4]")", R"("bf16[3,8,4]")"), 3 * one);
  EXPECT_EQ(flops("baddbmm", R"("fp32[1]", "fp32[3,8,9]", "fp32[3,9,4]", 1)", R"("fp32[3,8,4]")"),
            3 * one);
  EXPECT_EQ(flops("linear", R"("fp32[2,4,9]", "fp32[4,9]", null)", R"("fp32[2,4,4]")"), one);
  EXPECT_EQ(flops("mv", R"("fp32[8,9]", "fp32[9]")", R"("fp32[8]")"), 2.0 * 8 * 9);
}

TEST(Flops, AnExpandedFactorIsMultipliedAllTheSame) {
  EXPECT_EQ(flops("mm", R"("fp32[8,9]{0,1}", "fp32[9,4]")", R"("fp32[8,4]")"), 2.0 * 8 * 9 * 4);
}

TEST(Flops, AConvolutionCountsItsGroups) {
  const std::string rest = "null, [1,1], [1,1], [1,1], false, [0,0], ";
  EXPECT_EQ(flops("convolution", R"("fp32[2,6,10,10]", "fp32[8,6,3,3]", )" + rest + "1",
                  R"("fp32[2,8,10,10]")"),
            2.0 * 2 * 8 * 100 * 6 * 9);
  EXPECT_EQ(flops("convolution", R"("fp32[2,6,10,10]", "fp32[6,1,3,3]", )" + rest + "6",
                  R"("fp32[2,6,10,10]")"),
            2.0 * 2 * 6 * 100 * 9);
}

TEST(Flops, ATransposedConvolutionCountsByItsInput) {
  EXPECT_EQ(flops("convolution",
                  R"("fp32[2,8,5,5]", "fp32[8,6,2,2]", null, [2,2], [0,0], [1,1], true, [0,0], 1)",
                  R"("fp32[2,6,10,10]")"),
            2.0 * 2 * 8 * 25 * 6 * 4);
}

TEST(Flops, ABackwardConvolutionCountsTheGradientsThatAreWanted) {
  const auto backward = [](const std::string& mask) {
    return flops("convolution_backward",
                 R"("fp32[2,8,10,10]", "fp32[2,6,10,10]", "fp32[8,6,3,3]", [8], [1,1], [1,1],
                    [1,1], false, [0,0], 1, )" +
                     mask,
                 R"("fp32[2,6,10,10]", "fp32[8,6,3,3]", "fp32[8]")");
  };
  const double one = 2.0 * 2 * 8 * 100 * 6 * 9;
  EXPECT_EQ(backward("[true,true,true]"), 2 * one);
  EXPECT_EQ(backward("[false,true,true]"), one);
  EXPECT_EQ(backward("[false,false,true]"), 0);
}

TEST(Flops, AttentionHasTwoProductsAndItsBackwardPassFive) {
  const std::string qkv = R"("bf16[2,3,8,16]", "bf16[2,3,10,16]", "bf16[2,3,10,32]")";
  const double pairs = 2.0 * 3 * 8 * 10;
  EXPECT_EQ(
      flops("attention", qkv + ", null, 0.0, false, null", R"("bf16[2,3,8,32]", "fp32[2,3,8]")"),
      2 * pairs * (16 + 32));
  EXPECT_EQ(flops("attention_backward",
                  R"("bf16[2,3,8,32]", )" + qkv +
                      R"(, null, "bf16[2,3,8,32]", "fp32[2,3,8]", 0.0, false, null)",
                  R"("bf16[2,3,8,16]", "bf16[2,3,10,16]", "bf16[2,3,10,32]")"),
            2 * pairs * (3 * 16 + 2 * 32));
}

TEST(Flops, CausalAttentionLooksAtHalfOfThePairs) {
  const auto causal = [](const std::string& queries, const std::string& keys) {
    return flops("attention",
                 "\"fp32[1,1," + queries + ",4]\", \"fp32[1,1," + keys + ",4]\", \"fp32[1,1," +
                     keys + ",4]\", null, 0.0, true",
                 "\"fp32[1,1," + queries + ",4]\"");
  };
  EXPECT_EQ(causal("8", "8"), 2 * (8 * 9 / 2) * 8);
  EXPECT_EQ(causal("4", "8"), 2 * (4 * 5 / 2) * 8);
  EXPECT_EQ(causal("8", "4"), 2 * (4 * 5 / 2 + 4 * 4) * 8);
}

TEST(Flops, ARecurrentNetworkCountsEveryGateLayerAndDirection) {
  // Weights may be flat, so that they say nothing about sizes.
  const std::string arguments =
      R"("fp16[5,7,10]", ["fp16[480,1]"], "fp16[4,7,12]", "fp16[4,7,12]", "lstm", 12, 2, false,
         0.0, true, true)";
  const double forward = 2.0 * 35 * 2 * 4 * 12 * ((10 + 12) + (24 + 12));
  EXPECT_EQ(flops("recurrent", arguments, R"("fp16[5,7,24]", "fp16[4,7,12]", "fp16[4,7,12]")"),
            forward);
  EXPECT_EQ(flops("recurrent_backward", R"("fp16[5,7,24]", )" + arguments,
                  R"("fp16[5,7,10]", ["fp16[480,1]"])"),
            2 * forward);
}

TEST(Flops, WhatIsNoProductHasNone) {
  EXPECT_EQ(flops("add.Tensor", R"("fp32[8,9]", "fp32[8,9]")", R"("fp32[8,9]")"), 0);
  EXPECT_EQ(flops("torchvision.nms", R"("fp32[8,4]")", R"("int64[8]")"), 0);
}

TEST(Flops, OtherArgumentsThanAnOperationHasAreNamed) {
  const auto complaint = [](const std::string& name, const std::string& arguments) {
    return std::string(error_of([&] { Call(name, arguments, R"("fp32[8,4]")").counts(); }).what());
  };
  EXPECT_EQ(complaint("mm", R"("fp32[8,9]")"), "mm: argument 1 must be a tensor");
  EXPECT_EQ(complaint("mm", R"("fp32[8]", "fp32[9,4]")"),
            "mm: argument 0 must be a tensor with at least 2 axes");
  EXPECT_EQ(complaint("mm", R"("fp32[8,7]", "fp32[9,4]")"),
            "mm: the sizes of the two factors do not fit");
  EXPECT_THAT(complaint("recurrent", R"("fp32[5,7,10]", [], null, null, "plain", 12)"),
              HasSubstr("'plain' is none of lstm, gru, tanh, relu"));
}

}  // namespace
}  // namespace ampere
