// Where the batch and the axes of a layer go when tensors are reshaped and transposed.
#include "onnx/view.h"

#include <gtest/gtest.h>

namespace ampere::onnx {
namespace {

constexpr std::int64_t kTokens = 6, kWidth = 8, kHeads = 2;

View sequence_view(std::int64_t batch) { return native_view(sequence(kTokens, kWidth), batch); }

TEST(View, OfAnImageIsTheBatchAndItsAxes) {
  EXPECT_EQ(dims_of(native_view(image(3, 4, 5), 7)), (Dims{7, 3, 4, 5}));
}

TEST(View, SplitsAnAxisIntoDigits) {
  const auto view = reshaped(sequence_view(3), {3, kTokens, kHeads, kWidth / kHeads});
  ASSERT_TRUE(view);
  EXPECT_EQ(view->axes[2], (Axis{{1, 4, 2}}));
  EXPECT_EQ(view->axes[3], (Axis{{1, 1, 4}}));
}

TEST(View, PutsDigitsTogetherAgain) {
  const auto split = reshaped(sequence_view(3), {3, kTokens, kHeads, kWidth / kHeads});
  EXPECT_EQ(reshaped(*split, {3, kTokens, kWidth}), sequence_view(3));
}

TEST(View, KeepsDigitsThatChangedPlacesApart) {
  const auto split = reshaped(sequence_view(3), {3, kTokens, kHeads, kWidth / kHeads});
  const auto joined = reshaped(permuted(*split, {0, 1, 3, 2}), {3, kTokens, kWidth});
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->axes[2], (Axis{{1, 1, 4}, {1, 4, 2}}));
}

TEST(View, DoesNotCutAcrossDigits) {
  EXPECT_FALSE(reshaped(native_view(image(3, 5, 7), 2), {2, 5, 21}));
}

TEST(View, CutsAnAxisThatWasSplitInAnotherWay) {
  const auto split = reshaped(native_view(flat(12), 2), {2, 4, 3});
  ASSERT_TRUE(split);
  EXPECT_TRUE(reshaped(*split, {2, 3, 4}));
}

TEST(View, DoesNotSplitTheBatch) { EXPECT_FALSE(reshaped(native_view(flat(3), 4), {2, 2, 3})); }

TEST(View, FindsTheBatchBehindHeads) {
  const View first = permuted(sequence_view(3), {1, 0, 2});
  const auto merged = reshaped(first, {kTokens, 3 * kHeads, kWidth / kHeads});
  ASSERT_TRUE(merged);
  const auto split = reshaped(permuted(*merged, {1, 0, 2}), {3, kHeads, kTokens, kWidth / kHeads});
  ASSERT_TRUE(split);
  EXPECT_TRUE(is_batch(split->axes[0]));
}

// A batch of one leaves no trace in the lengths.
TEST(View, FindsABatchOfOneBehindHeads) {
  const View first = permuted(sequence_view(1), {1, 0, 2});
  const auto merged = reshaped(first, {kTokens, kHeads, kWidth / kHeads});
  ASSERT_TRUE(merged);
  const auto split = reshaped(permuted(*merged, {1, 0, 2}), {1, kHeads, kTokens, kWidth / kHeads});
  ASSERT_TRUE(split);
  EXPECT_TRUE(is_batch(split->axes[0]));
}

TEST(View, KeepsABatchOfOneOutOfTheChannels) {
  const auto rows = reshaped(permuted(sequence_view(1), {1, 0, 2}), {kTokens, kWidth});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->axes[1], (Axis{{1, 1, kWidth}}));
}

TEST(View, SampleAxesNeedTheBatchInFront) {
  EXPECT_TRUE(sample_axes(sequence_view(3)));
  EXPECT_FALSE(sample_axes(permuted(sequence_view(3), {1, 0, 2})));
}

}  // namespace
}  // namespace ampere::onnx
