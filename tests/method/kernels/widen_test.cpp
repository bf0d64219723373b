#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/model.h"
#include "kernel_text.h"
#include "method/kernels/kernel.h"

namespace ampere {
namespace {

using testing_support::texts;

std::vector<Kernel> seeds() {
  const std::vector<Model> networks{make_zoo_model("mobilenet_v2"), make_zoo_model("alexnet")};
  return distinct_kernels(networks);
}

TEST(WidenedKernels, AreNewDifferentAndOfTheSameTypes) {
  const std::vector<Kernel> given = seeds(), widened = widen_kernels(given, 200, 1);
  ASSERT_EQ(widened.size(), 200u);
  const std::vector<std::string> known = texts(given), drawn = texts(widened);
  EXPECT_EQ(std::set<std::string>(drawn.begin(), drawn.end()).size(), 200u);
  std::set<std::string> types;
  for (const Kernel& kernel : given) types.insert(kernel.type);
  for (const Kernel& kernel : widened) {
    EXPECT_TRUE(types.contains(kernel.type));
    EXPECT_EQ(kernels_of(kernel_model(kernel)), std::vector<Kernel>{kernel});
  }
  for (const std::string& text : drawn) EXPECT_THAT(known, testing::Not(testing::Contains(text)));
}

TEST(WidenedKernels, VaryEverySizeOfAConvolution) {
  std::map<std::string, std::set<std::int64_t>> values;
  const std::vector<Kernel> widened = widen_kernels(seeds(), 300, 2);
  for (const Kernel& kernel : widened)
    if (kernel.type == "conv+relu")
      for (const auto& [column, value] : kernel.config) values[column].insert(value);
  for (const char* column : {"HW", "CIN", "COUT", "KERNEL_SIZE", "STRIDES"})
    EXPECT_GT(values[column].size(), 1u) << column;
}

TEST(WidenedKernels, AreTheSameForTheSameSeed) {
  const std::vector<Kernel> given = seeds();
  EXPECT_EQ(widen_kernels(given, 20, 3), widen_kernels(given, 20, 3));
  EXPECT_NE(widen_kernels(given, 20, 3), widen_kernels(given, 20, 4));
}

TEST(WidenedKernels, EndWhereThereAreNoMore) {
  ModelBuilder net("net");
  net.add(Input{image(1, 2, 2)}, std::initializer_list<int>{});
  net.add(Activation{});
  const std::vector<Kernel> one = kernels_of(std::move(net).build());
  const std::vector<Kernel> widened = widen_kernels(one, 1000, 1);
  EXPECT_LT(widened.size(), 40u);
  EXPECT_GT(widened.size(), 2u);
  EXPECT_TRUE(widen_kernels({}, 10, 1).empty());
  EXPECT_TRUE(widen_kernels(one, 0, 1).empty());
}

}  // namespace
}  // namespace ampere
