// Every network of the zoo can be stored and made narrower.
#include "ampere/widths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "ampere/model.h"

namespace ampere {
namespace {

class ZooNetwork : public testing::TestWithParam<std::string> {};

std::vector<std::string> zoo_names() {
  std::vector<std::string> names;
  for (const ZooEntry& entry : zoo()) names.push_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Every, ZooNetwork, testing::ValuesIn(zoo_names()),
                         [](const auto& network) { return network.param; });

std::vector<std::int64_t> values(const Model& model) {
  std::vector<std::int64_t> all;
  for (const ChannelGroup& group : free_widths(model)) all.push_back(group.value);
  return all;
}

Model narrowed(const Model& model,
               const std::function<std::int64_t(const ChannelGroup&)>& width_of) {
  std::vector<std::int64_t> widths;
  for (const ChannelGroup& group : free_widths(model)) widths.push_back(width_of(group));
  Model narrow = with_widths(model, widths);
  EXPECT_EQ(values(narrow), widths);
  return narrow;
}

TEST_P(ZooNetwork, IsReadBackFromItsJson) {
  const Model model = make_zoo_model(GetParam());
  const Model again = parse_model(to_json(model), "memory");
  EXPECT_EQ(model_hash(again), model_hash(model));
  EXPECT_EQ(again.name(), model.name());
  EXPECT_EQ(to_json(again), to_json(model));
}

TEST_P(ZooNetwork, IsItselfAtItsOwnWidths) {
  const Model model = make_zoo_model(GetParam());
  EXPECT_FALSE(values(model).empty());
  EXPECT_EQ(model_hash(with_widths(model, values(model))), model_hash(model));
}

TEST_P(ZooNetwork, CanBeHalved) {
  const Model model = make_zoo_model(GetParam());
  const Model half = narrowed(model, [](const ChannelGroup& group) {
    return std::max<std::int64_t>(1, group.value / 2 / group.multiple_of) * group.multiple_of;
  });
  EXPECT_EQ(half.output().output, model.output().output);
  EXPECT_LT(count(half, 1).parameters, count(model, 1).parameters);
  EXPECT_LT(multiply_adds(half), multiply_adds(model));
}

TEST_P(ZooNetwork, CanBeAsNarrowAsItsStructureAllows) {
  const Model model = make_zoo_model(GetParam());
  const Model narrowest =
      narrowed(model, [](const ChannelGroup& group) { return group.multiple_of; });
  EXPECT_EQ(narrowest.output().output, model.output().output);
}

// What the method's definition of the zoo lets vary.
TEST(ZooWidths, AreThoseOfTheDefinition) {
  using Widths = std::vector<std::int64_t>;
  EXPECT_EQ(values(make_zoo_model("lenet5")), (Widths{6, 16, 120, 84}));
  EXPECT_EQ(values(make_zoo_model("cnn5")), (Widths{16, 32, 64, 128}));
  EXPECT_EQ(values(make_zoo_model("har")), (Widths{32, 64, 512}));
  EXPECT_EQ(values(make_zoo_model("conv_stack")), Widths(9, 64));
  EXPECT_EQ(values(make_zoo_model("lstm")), (Widths{64, 128, 128}));
  EXPECT_EQ(values(make_zoo_model("transformer")), (Widths{256}));
  EXPECT_EQ(values(make_zoo_model("vit_tiny")), (Widths{192}));
}

TEST(ZooWidths, ResidualAddsTieTheStages) {
  EXPECT_EQ(values(make_zoo_model("resnet18")),
            (std::vector<std::int64_t>{64, 64, 64, 128, 128, 128, 256, 256, 256, 512, 512, 512}));
}

TEST(ZooWidths, DepthwiseConvolutionsFollowTheirInput) {
  EXPECT_EQ(values(make_zoo_model("mobilenet_v1")),
            (std::vector<std::int64_t>{32, 64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512,
                                       1024, 1024}));
}

TEST(ZooWidths, ConcatenatedBranchesVaryApart) {
  EXPECT_EQ(values(make_zoo_model("squeezenet")).size(), 1u + 8 * 3);
  EXPECT_EQ(values(make_zoo_model("googlenet")).size(), 3u + 9 * 6);
  EXPECT_EQ(values(make_zoo_model("densenet121")).size(), 1u + 58 * 2 + 3);
}

}  // namespace
}  // namespace ampere
