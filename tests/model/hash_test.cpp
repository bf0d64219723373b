#include <gtest/gtest.h>

#include "every_op.h"

namespace ampere {
namespace {

Model small(const std::string& name, const std::string& layer, const Op& op,
            const std::string& module = "") {
  ModelBuilder builder(name);
  builder.add(Input{image(3, 8, 8)});
  builder.module(module);
  builder.add(op, layer);
  return std::move(builder).build();
}

// Measurements are stored under this: it must not change between versions.
TEST(ModelHash, IsTheSameInEveryVersion) {
  EXPECT_EQ(model_hash(small("net", "conv", conv(4, 3))), "9acb5f8c6613ded9");
  EXPECT_EQ(model_hash(every_op()), "f2465684727e697f");
}

TEST(ModelHash, DoesNotSeeNames) {
  EXPECT_EQ(model_hash(small("a", "x", conv(4, 3))), model_hash(small("b", "y", conv(4, 3), "m")));
}

TEST(ModelHash, DoesNotSeeHowDefaultsAreWritten) {
  Conv terse;
  terse.out_channels = 4;
  terse.kernel = {3};
  Conv wordy = conv(4, 3);
  wordy.kernel = {3, 3};
  wordy.dilation = {1, 1};
  EXPECT_EQ(model_hash(small("a", "x", terse)), model_hash(small("a", "x", wordy)));
  Conv leftover = depthwise(3, 1);
  leftover.out_channels = 77;
  leftover.groups = 3;
  EXPECT_EQ(model_hash(small("a", "x", depthwise(3, 1))), model_hash(small("a", "x", leftover)));
}

TEST(ModelHash, SeesStructure) {
  const std::string hash = model_hash(small("a", "x", conv(4, 3)));
  EXPECT_NE(hash, model_hash(small("a", "x", conv(5, 3))));
  EXPECT_NE(hash, model_hash(small("a", "x", conv(4, 5))));
  EXPECT_NE(hash, model_hash(small("a", "x", conv(4, 3, 1))));
  EXPECT_NE(hash, model_hash(small("a", "x", depthwise(3, 0))));
}

TEST(ModelHash, SeesWiring) {
  const auto wired = [](int read) {
    ModelBuilder builder("net");
    builder.add(Input{flat(4)});
    builder.add(Activation{});
    builder.add(Activation{}, {read});
    return model_hash(std::move(builder).build());
  };
  EXPECT_NE(wired(0), wired(1));
}

}  // namespace
}  // namespace ampere
