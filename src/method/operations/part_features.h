// The features that are particular to the parts, in one function per part. All of them may throw
// Error(usage) when the arguments are not those of the name.
#pragma once

#include <span>

#include "method/operations/feature_row.h"

namespace ampere {

struct FeatureInput {
  OperationView view;
  std::span<const TensorType> tensors;
  OperationTensors of;  // the operation's tensors
  // The first result, or where there is none the largest argument; and the largest argument, or
  // where there is none the first result.
  const TensorType& output;
  const TensorType& input;
};

void add_product_features(const FeatureInput& in, FeatureRow& row);
void add_convolution_features(const FeatureInput& in, bool backward, FeatureRow& row);
void add_attention_features(const FeatureInput& in, bool backward, FeatureRow& row);
void add_recurrent_features(const FeatureInput& in, FeatureRow& row);
void add_norm_features(const FeatureInput& in, bool backward, FeatureRow& row);
void add_reduction_features(const FeatureInput& in, FeatureRow& row);
void add_index_features(const FeatureInput& in, FeatureRow& row);
void add_pool_features(const FeatureInput& in, FeatureRow& row);
void add_update_features(const FeatureInput& in, FeatureRow& row);
void add_pointwise_features(const FeatureInput& in, FeatureRow& row);

}  // namespace ampere
