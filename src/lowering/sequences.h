// Attention and recurrent layers with their gradients.
#pragma once

#include "ampere/layer.h"
#include "lowering/eager.h"

namespace ampere::lowering {

struct AttentionWeights {
  Tensor in_weight, in_bias, out_weight, out_bias;  // biases may be absent
};
struct AttentionModules {
  int in_projection = 0, out_projection = 0;
};
// `fused`: by one operation, else by products and a softmax.
Tensor self_attention(Eager& eager, const Tensor& x, const AttentionWeights& weights,
                      const AttentionModules& modules, std::int64_t heads, bool fused);

Tensor recurrent(Eager& eager, const Tensor& x, const Tensors& weights, const Recurrent& op,
                 bool training);
// The same by single operations per time step.
Tensor recurrent_in_steps(Eager& eager, const Tensor& x, const Tensors& weights,
                          const Recurrent& op);

}  // namespace ampere::lowering
