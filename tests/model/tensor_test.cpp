#include <gtest/gtest.h>

#include "ampere/layer.h"

namespace ampere {
namespace {

TEST(TensorShape, CountsWhatOneSampleHolds) {
  EXPECT_EQ(image(16, 14, 15).elements(), 16 * 14 * 15);
  EXPECT_EQ(image(16, 14, 15).positions(), 14 * 15);
  EXPECT_EQ(line(9, 128).elements(), 9 * 128);
  EXPECT_EQ(sequence(64, 128).elements(), 64 * 128);
  EXPECT_EQ(flat(10).positions(), 1);
  EXPECT_EQ(flat(10).elements(), 10);
}

TEST(TensorShape, CountsTokensWithoutTheirVocabulary) {
  EXPECT_EQ(tokens(64, 1000).elements(), 64);
}

TEST(TensorShape, ReadsAsPeopleWriteIt) {
  EXPECT_EQ(to_string(image(16, 14, 15)), "16x14x15");
  EXPECT_EQ(to_string(tokens(64, 1000)), "64 tokens");
  EXPECT_EQ(to_string(sequence(64, 128)), "64x128 sequence");
  EXPECT_EQ(to_string(line(9, 128)), "9x128");
  EXPECT_EQ(to_string(flat(10)), "10");
}

}  // namespace
}  // namespace ampere
