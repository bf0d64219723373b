#include <gtest/gtest.h>

#include "program/programs.h"

namespace ampere {
namespace {

using testing_support::bytes;
using testing_support::Call;

TEST(Bytes, EveryArgumentIsReadAndEveryResultWritten) {
  EXPECT_EQ(bytes("add.Tensor", R"("fp32[8,9]", "bf16[8,9]")", R"("fp32[8,9]")"),
            72 * 4 + 72 * 2 + 72 * 4);
  EXPECT_EQ(bytes("native_dropout", R"("fp32[10]", 0.5, true)", R"("fp32[10]", "bool[10]")"),
            40 + 40 + 10);
  EXPECT_EQ(bytes("cat", R"(["fp32[2]", "fp32[3]"])", R"("fp32[5]")"), 40);
}

TEST(Bytes, AnExpandedAxisCountsOnce) {
  EXPECT_EQ(bytes("mul.Tensor", R"("fp32[8,9]{0,1}", "fp32[8,9]{0,0}")", R"("fp32[8,9]")"),
            9 * 4 + 4 + 72 * 4);
}

TEST(Bytes, OverlappingWindowsCountOnce) {
  EXPECT_EQ(bytes("sum", R"("fp32[100,3]{1,1}")", R"("fp32[]")"), 102 * 4 + 4);
}

TEST(Bytes, AnOperationInPlaceReadsAndWrites) {
  EXPECT_EQ(bytes("add_.Tensor", R"("fp32[10]", "fp32[10]")", R"("fp32[10]")"), 120);
  EXPECT_EQ(bytes("relu_", R"("fp32[10]")", R"("fp32[10]")"), 80);
}

TEST(Bytes, ACopyReadsOneAndWritesTheOther) {
  EXPECT_EQ(bytes("copy_", R"("fp16[10]", "fp32[10]")", R"("fp16[10]")"), 60);
  EXPECT_EQ(bytes("bernoulli_.float", R"("fp32[10]", 0.8)", R"("fp32[10]")"), 40);
  EXPECT_EQ(bytes("ones_like", R"("fp32[10]")", R"("fp32[10]")"), 40);
}

TEST(Bytes, AnEmbeddingReadsTheRowsItPicks) {
  EXPECT_EQ(bytes("embedding", R"("fp32[1000,16]", "int64[2,5]")", R"("fp32[2,5,16]")"),
            10 * 64 + 80 + 10 * 64);
  EXPECT_EQ(bytes("embedding", R"("fp32[2,16]", "int64[2,5]")", R"("fp32[2,5,16]")"),
            2 * 64 + 80 + 10 * 64)
      << "a small table is read once";
  EXPECT_EQ(bytes("embedding_dense_backward", R"("fp32[2,5,16]", "int64[2,5]", 1000, -1, false)",
                  R"("fp32[1000,16]")"),
            10 * 64 + 80 + 1000 * 64)
      << "and its gradient is written whole";
}

TEST(Bytes, PickingReadsWhatComesOut) {
  EXPECT_EQ(bytes("gather", R"("fp32[1000,16]", 1, "int64[1000,1]")", R"("fp32[1000,1]")"),
            1000 * (4 + 8 + 4));
  EXPECT_EQ(bytes("index_select", R"("fp32[1000,16]", 0, "int64[3]")", R"("fp32[3,16]")"),
            2 * 3 * 64 + 24);
}

TEST(Bytes, PlacingWritesWhatIsPlaced) {
  EXPECT_EQ(bytes("scatter_add_", R"("fp32[1000]", 0, "int64[3]", "fp32[3]")", R"("fp32[1000]")"),
            24 + 12 + 2 * 12);
  EXPECT_EQ(bytes("index_put_", R"("fp32[1000]", ["int64[3]"], "fp32[3]")", R"("fp32[1000]")"),
            24 + 12 + 12);
}

TEST(Bytes, ALossReadsOneNumberForEachTarget) {
  EXPECT_EQ(bytes("nll_loss_forward", R"("fp32[8,1000]", "int64[8]", null, 1, -100)",
                  R"("fp32[]", "fp32[]")"),
            8 * 4 + 64 + 8);
  EXPECT_EQ(
      bytes("nll_loss_backward", R"("fp32[]", "fp32[8,1000]", "int64[8]", null, 1, -100, "fp32[]")",
            R"("fp32[8,1000]")"),
      4 + 64 + 4 + 32000);
}

TEST(Bytes, ABackwardConvolutionReadsWhatItsGradientsNeed) {
  const auto backward = [](const std::string& mask, const std::string& results) {
    return bytes("convolution_backward",
                 R"("fp32[1,2,4,4]", "fp32[1,3,4,4]", "fp32[2,3,1,1]", [0], [1,1], [0,0], [1,1],
                    false, [0,0], 1, )" +
                     mask,
                 results);
  };
  EXPECT_EQ(backward("[true,true,false]", R"("fp32[1,3,4,4]", "fp32[2,3,1,1]", null)"),
            128 + 192 + 24 + 192 + 24);
  EXPECT_EQ(backward("[false,true,false]", R"(null, "fp32[2,3,1,1]", null)"), 128 + 192 + 24);
}

TEST(Bytes, ListsOfTensorsCountOneByOne) {
  const std::string two = R"(["fp32[10]", "fp32[5]"])";
  EXPECT_EQ(bytes("_foreach_add_.List", two + ", " + two, ""), 3 * 60)
      << "changed in place without a result";
  EXPECT_EQ(bytes("_foreach_sqrt", two, two), 2 * 60);
  EXPECT_EQ(bytes("_foreach_zero_", two, ""), 60);
}

TEST(Bytes, AFusedOptimizerOnlyReadsGradientsAndCountsOfSteps) {
  const std::string list = R"(["fp32[10]"])", steps = R"(["fp32[]"])";
  EXPECT_EQ(
      bytes("_fused_adam_", list + ", " + list + ", " + list + ", " + list + ", [], " + steps, ""),
      4 * 40 + 4 + 3 * 40);
  EXPECT_EQ(bytes("_fused_sgd_", list + ", " + list + ", " + list, ""), 3 * 40 + 2 * 40);
}

TEST(Bytes, AViewMovesNothing) {
  EXPECT_EQ(bytes("transpose.int", R"("fp32[8,9]", 0, 1)", R"("fp32[9,8]{1,9}")"), 0);
}

TEST(Bytes, AnOutputThatIsGivenIsNotRead) {
  EXPECT_EQ(Call("add.out", R"("fp32[10]", "fp32[10]")", R"("fp32[10]")", R"({"out": "fp32[10]"})")
                .counts()
                .bytes,
            120);
}

}  // namespace
}  // namespace ampere
