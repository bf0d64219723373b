#include <gtest/gtest.h>

#include "ampere/program.h"

namespace ampere {
namespace {

std::string group(const std::string& name) {
  Operation operation;
  operation.name = name;
  return to_string(group_of(operation));
}

TEST(OperationGroups, NamesAreKnown) {
  for (const char* name : {"mm", "addmm", "bmm", "baddbmm", "linear"})
    EXPECT_EQ(group(name), "product") << name;
  for (const char* name : {"convolution", "convolution_backward"})
    EXPECT_EQ(group(name), "convolution") << name;
  for (const char* name :
       {"attention", "attention_backward", "_scaled_dot_product_flash_attention"})
    EXPECT_EQ(group(name), "attention") << name;
  for (const char* name : {"recurrent", "recurrent_backward"})
    EXPECT_EQ(group(name), "recurrent") << name;
  for (const char* name : {"batch_norm", "batch_norm_backward", "native_layer_norm_backward",
                           "_fused_rms_norm", "_fused_rms_norm_backward"})
    EXPECT_EQ(group(name), "norm") << name;
  for (const char* name : {"sum.dim_IntList", "mean", "_log_softmax", "_log_softmax_backward_data",
                           "nll_loss_forward", "nll_loss2d_backward", "max_pool2d_with_indices",
                           "max_pool2d_with_indices_backward", "max.dim"})
    EXPECT_EQ(group(name), "reduction") << name;
  for (const char* name :
       {"embedding", "embedding_dense_backward", "gather", "index.Tensor", "index_put_"})
    EXPECT_EQ(group(name), "index") << name;
  for (const char* name : {"_foreach_add_.List", "_foreach_norm.Scalar", "_fused_adamw_",
                           "_amp_foreach_non_finite_check_and_unscale_"})
    EXPECT_EQ(group(name), "update") << name;
  for (const char* name : {"view", "t", "detach", "as_strided_", "empty.memory_format"})
    EXPECT_EQ(group(name), "view") << name;
}

TEST(OperationGroups, AnOperationInPlaceIsInTheGroupOfTheOther) {
  for (const char* name : {"add.Tensor", "add_.Tensor", "relu_", "threshold_backward", "copy_",
                           "bernoulli_.float", "gelu_backward", "max.other", "_local_scalar_dense"})
    EXPECT_EQ(group(name), "pointwise") << name;
}

TEST(OperationGroups, TheBackwardPassOfAViewIsACopy) {
  EXPECT_EQ(group("select_backward"), "pointwise");
  EXPECT_EQ(group("slice_backward"), "pointwise");
}

TEST(OperationGroups, KernelsOfTheCompilerAreKnownByTheirKind) {
  EXPECT_EQ(group("triton_poi_fused_add_relu"), "pointwise");
  EXPECT_EQ(group("triton_red_fused_native_layer_norm"), "reduction");
  EXPECT_EQ(group("triton_per_fused_sum_view"), "reduction");
  EXPECT_EQ(group("triton_tem_fused_mm"), "other");
}

TEST(OperationGroups, WhatIsUnknownIsOther) {
  for (const char* name : {"torchvision.nms", "mylib.mm", "linalg_svd", "sort", "_backward", "_",
                           "something_backward", "."})
    EXPECT_EQ(group(name), "other") << name;
}

}  // namespace
}  // namespace ampere
