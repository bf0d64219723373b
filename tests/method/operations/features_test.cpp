// Features of operations that were written by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "method/operations/general_evidence.h"
#include "method/operations/operation_features.h"
#include "program/programs.h"

namespace ampere {
namespace {

using testing_support::Call;

OperationFeatures features_of(const Call& call, std::optional<bool> tf32 = {}) {
  Operation operation = call.operation();
  operation.tf32 = tf32;
  const auto features = operation_features(operation, call.tensors(), {});
  if (!features) throw std::runtime_error("gives the device no work");
  return *features;
}

double feature(const OperationFeatures& features, std::string_view name) {
  const auto found = std::ranges::find(features.names, name);
  if (found == features.names.end()) throw std::runtime_error("no such feature");
  return features.values[static_cast<std::size_t>(found - features.names.begin())];
}

TEST(OperationFeatures, OfAProductAreItsSizesTilesAndAlignment) {
  const auto features =
      features_of(Call("mm", R"("bf16[1024,768]", "bf16[768,50257]")", R"("bf16[1024,50257]")"));
  EXPECT_EQ(features.part, OperationPart::product);
  EXPECT_EQ(features.work.flop_class, FlopClass::half);
  EXPECT_DOUBLE_EQ(features.work.flops, 2.0 * 1024 * 768 * 50257);
  EXPECT_DOUBLE_EQ(feature(features, "log2 M"), 10);
  EXPECT_DOUBLE_EQ(feature(features, "twos in N"), 0);
  EXPECT_DOUBLE_EQ(feature(features, "alignment of A"), 5);
  EXPECT_DOUBLE_EQ(feature(features, "alignment of C"), 1);  // odd rows of two bytes each
  EXPECT_DOUBLE_EQ(feature(features, "waves 128x128"), std::log2(8 * 393 / 132.0));
  EXPECT_DOUBLE_EQ(feature(features, "half"), 1);
}

TEST(OperationFeatures, OfAProductKnowTheBiasAndTransposedFactors) {
  const auto features =
      features_of(Call("addmm", R"("fp32[4]", "fp32[8,9]", "fp32[9,4]{1,9}")", R"("fp32[8,4]")"));
  EXPECT_DOUBLE_EQ(feature(features, "bias"), 1);
  EXPECT_DOUBLE_EQ(feature(features, "layout of A"), 0);
  EXPECT_DOUBLE_EQ(feature(features, "layout of B"), 1);
  EXPECT_EQ(features.work.flop_class, FlopClass::fp32);
}

TEST(OperationFeatures, WaveQuantizationEndsAtSixteenWaves) {
  const auto small =
      features_of(Call("mm", R"("fp32[256,64]", "fp32[64,128]")", R"("fp32[256,128]")"));
  EXPECT_DOUBLE_EQ(feature(small, "whole waves 128x128"), 132 / 2.0);
  const auto large =
      features_of(Call("mm", R"("fp32[65536,64]", "fp32[64,2048]")", R"("fp32[65536,2048]")"));
  EXPECT_DOUBLE_EQ(feature(large, "whole waves 128x128"), 1);
}

const char* const kDepthwise =
    R"("fp32[2,8,16,16]", "fp32[2,8,16,16]", "fp32[8,1,3,3]", null, [1,1], [1,1], [1,1], false, [0,0], 8, [true,true,false])";

TEST(OperationFeatures, GroupedConvolutionsAndBackwardPassesAreParts) {
  const auto forward = features_of(
      Call("convolution",
           R"("fp32[2,8,16,16]", "fp32[4,8,3,3]", null, [1,1], [1,1], [1,1], false, [0,0], 1)",
           R"("fp32[2,4,16,16]")"));
  EXPECT_EQ(forward.part, OperationPart::convolution);
  EXPECT_EQ(forward.work.flop_class, FlopClass::tf32);
  const auto backward = features_of(
      Call("convolution_backward", kDepthwise, R"("fp32[2,8,16,16]", "fp32[8,1,3,3]")"));
  EXPECT_EQ(backward.part, OperationPart::grouped_convolution_backward);
  EXPECT_DOUBLE_EQ(feature(backward, "depthwise"), 1);
  EXPECT_DOUBLE_EQ(feature(backward, "gradient of weight"), 1);
  EXPECT_DOUBLE_EQ(feature(backward, "bias"), 0);
}

// Other units compute them, so other times are learnt for them. A convolution is in TF32 unless it
// is told otherwise.
TEST(OperationFeatures, ProductsInTf32AreAPart) {
  const Call product("mm", R"("fp32[64,32]", "fp32[32,64]")", R"("fp32[64,64]")");
  EXPECT_EQ(features_of(product).part, OperationPart::product);
  EXPECT_EQ(features_of(product).work.flop_class, FlopClass::fp32);
  EXPECT_EQ(features_of(product, true).part, OperationPart::tf32_product);
  EXPECT_EQ(features_of(product, true).work.flop_class, FlopClass::tf32);
  const Call convolution(
      "convolution",
      R"("fp32[2,8,16,16]", "fp32[4,8,3,3]", null, [1,1], [1,1], [1,1], false, [0,0], 1)",
      R"("fp32[2,4,16,16]")");
  EXPECT_EQ(features_of(convolution, false).part, OperationPart::convolution);
  EXPECT_EQ(features_of(convolution, false).work.flop_class, FlopClass::fp32);
}

TEST(DeviceWork, BothGradientsOfAConvolutionReadTheIncomingOne) {
  const auto features = features_of(
      Call("convolution_backward", kDepthwise, R"("fp32[2,8,16,16]", "fp32[8,1,3,3]")"));
  const double large = 4 * 2 * 8 * 16 * 16, weight = 4 * 8 * 9;
  EXPECT_DOUBLE_EQ(features.work.bytes, 2 * (2 * large + weight));
}

TEST(DeviceWork, AnExpandedGradientIsCopiedFirst) {
  const auto features = features_of(Call(
      "convolution_backward",
      R"("fp32[2,8,16,16]{0,0,0,0}", "fp32[2,8,16,16]", "fp32[8,8,1,1]", null, [1,1], [0,0], [1,1], false, [0,0], 1, [true,false,false])",
      R"("fp32[2,8,16,16]", null, null)"));
  const double large = 4 * 2 * 8 * 16 * 16, weight = 4 * 64;
  EXPECT_DOUBLE_EQ(features.work.bytes, 4 * large + weight);
}

TEST(DeviceWork, ALayerNormCopiesWhatIsNotContiguous) {
  const char* const rest = R"(, [64], "fp32[64]", "fp32[64]", 1e-5)";
  const char* const results = R"("fp32[32,64]", "fp32[32,1]", "fp32[32,1]")";
  const auto plain =
      features_of(Call("native_layer_norm", R"("fp32[32,64]")" + std::string(rest), results));
  const auto copied =
      features_of(Call("native_layer_norm", R"("fp32[32,64]{1,32}")" + std::string(rest), results));
  EXPECT_DOUBLE_EQ(copied.work.bytes - plain.work.bytes, 2 * 4 * 32 * 64);
  EXPECT_DOUBLE_EQ(feature(copied, "copies"), 1);
  EXPECT_DOUBLE_EQ(feature(plain, "log2 rows"), 5);
}

TEST(OperationFeatures, OfANormMayHaveOneAxis) {
  const auto features =
      features_of(Call("native_layer_norm", R"("fp32[64]", [64], "fp32[64]", "fp32[64]", 1e-5)",
                       R"("fp32[64]", "fp32[1]", "fp32[1]")"));
  EXPECT_EQ(features.part, OperationPart::norm);
  EXPECT_DOUBLE_EQ(feature(features, "log2 rows"), 0);
}

TEST(DeviceWork, AnUpdateLaunchesAsOftenAsItsArgumentsFit) {
  std::string list = "[";
  for (int i = 0; i < 111; ++i) list += std::string(i > 0 ? "," : "") + "\"fp32[64]\"";
  const auto features = features_of(Call("_foreach_mul_.Scalar", list + "], 0.9", ""));
  EXPECT_EQ(features.part, OperationPart::update);
  EXPECT_DOUBLE_EQ(features.work.launches, 2);
  EXPECT_DOUBLE_EQ(feature(features, "log2 tensors"), std::log2(111));
  EXPECT_DOUBLE_EQ(features.work.bytes, 2 * 111 * 64 * 4);
}

TEST(DeviceWork, ARecurrentLayerLaunchesEveryStep) {
  const char* const arguments =
      R"("fp32[16,128,64]", ["fp32[256,64]","fp32[256,64]"], "fp32[2,16,64]", "fp32[2,16,64]", "lstm", 64, 2, true, 0.0, true, false)";
  const auto features = features_of(Call("recurrent", arguments, R"("fp32[16,128,64]")"));
  EXPECT_EQ(features.part, OperationPart::recurrent);
  EXPECT_DOUBLE_EQ(features.work.launches, 128 * 2);
  EXPECT_EQ(features.work.flop_class, FlopClass::tf32);
  EXPECT_DOUBLE_EQ(feature(features, "log2 batch"), 4);
}

TEST(OperationFeatures, OfAttentionKnowMaskAndDropout) {
  const auto features = features_of(Call(
      "attention",
      R"("bf16[8,12,128,64]", "bf16[8,12,128,64]", "bf16[8,12,128,64]", null, 0.1, true, null)",
      R"("bf16[8,12,128,64]", "fp32[8,12,128]")"));
  EXPECT_EQ(features.part, OperationPart::attention);
  EXPECT_DOUBLE_EQ(feature(features, "log2 heads"), std::log2(96));
  EXPECT_DOUBLE_EQ(feature(features, "mask"), 0);
  EXPECT_DOUBLE_EQ(feature(features, "dropout"), 1);
  EXPECT_DOUBLE_EQ(feature(features, "causal"), 1);
}

TEST(OperationFeatures, TellATransposingCopy) {
  const auto copy = features_of(Call("clone", R"("fp32[128,768]{1,128}")", R"("fp32[128,768]")"));
  EXPECT_EQ(copy.part, OperationPart::pointwise);
  EXPECT_DOUBLE_EQ(feature(copy, "transposes"), 1);
  const auto add =
      features_of(Call("add.Tensor", R"("fp32[128,768]", "fp32[768]")", R"("fp32[128,768]")"));
  EXPECT_DOUBLE_EQ(feature(add, "transposes"), 0);
  EXPECT_DOUBLE_EQ(feature(add, "broadcast"), 1);
}

TEST(OperationFeatures, ReductionsPoolingAndLossesAreApart) {
  EXPECT_EQ(
      features_of(Call("sum.dim_IntList", R"("fp32[8,9]", [0], true)", R"("fp32[1,9]")")).part,
      OperationPart::reduction);
  EXPECT_EQ(features_of(Call("max_pool2d_with_indices", R"("fp32[2,3,8,8]", [2,2], [2,2])",
                             R"("fp32[2,3,4,4]", "int64[2,3,4,4]")"))
                .part,
            OperationPart::pool);
  EXPECT_EQ(features_of(Call("nll_loss_forward", R"("fp32[8,10]", "int64[8]", null, 1, -100)",
                             R"("fp32[]", "fp32[]")"))
                .part,
            OperationPart::index);
}

TEST(OperationFeatures, OfOnePartHaveOneLength) {
  const auto one = features_of(Call("relu", R"("fp32[8]")", R"("fp32[8]")"));
  const auto other = features_of(Call("cat", R"(["fp32[8,4]","fp32[8,4]"], 1)", R"("fp32[8,8]")"));
  EXPECT_EQ(one.names, other.names);
}

TEST(OperationFeatures, ViewsGiveTheDeviceNoWork) {
  const Call view("view", R"("fp32[8,9]", [72])", R"("fp32[72]")");
  EXPECT_FALSE(operation_features(view.operation(), view.tensors(), {}));
}

TEST(OperationFeatures, UnknownNamesAndArgumentsGoByTheirBytes) {
  const auto foreign = features_of(Call("mylib.fancy", R"("fp32[8,9]")", R"("fp32[8]")"));
  EXPECT_EQ(foreign.part, OperationPart::other);
  EXPECT_DOUBLE_EQ(foreign.work.bytes, 4 * (72 + 8));
  const auto odd = features_of(Call("native_layer_norm", R"("fp32[8,9]")", R"("fp32[8,9]")"));
  EXPECT_EQ(odd.part, OperationPart::other);
}

TEST(OperationDevice, HasTheNumbersThatItsDeviceSays) {
  DeviceInfo device;
  EXPECT_EQ(operation_device(device), OperationDevice{});
  device.hardware = "108 multiprocessors, compute capability 8.0, 80 GiB";
  device.power_mode = "power limit 400 W";
  EXPECT_EQ(operation_device(device),
            (OperationDevice{.multiprocessors = 108, .power_limit_w = 400}));
  for (const char* none : {" multiprocessors", "no multiprocessors", "0 multiprocessors",
                           "9999999999 multiprocessors", "8 cores, 16 GiB"}) {
    device.hardware = none;
    EXPECT_EQ(operation_device(device).multiprocessors, OperationDevice{}.multiprocessors) << none;
  }
}

}  // namespace
}  // namespace ampere
