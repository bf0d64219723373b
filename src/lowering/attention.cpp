#include <cmath>

#include "lowering/autocast.h"
#include "lowering/pointwise.h"
#include "lowering/products.h"
#include "lowering/reductions.h"
#include "lowering/sequences.h"
#include "lowering/views.h"

namespace ampere::lowering {
namespace {

// Heads lie next to each other at every position, as what follows reads them.
TensorType heads_inside(const Tensor& query) {
  const Sizes& sizes = query.sizes();
  TensorType type = query.type;
  const std::int64_t row = sizes[1] * sizes[3];
  type.strides = {row * sizes[2], sizes[3], row, 1};
  return type;
}

// The kernel for fp32 rounds the length up to whole warps, and computes sums for training only;
// that for 16 bits has an axis more.
TensorType sums(const Eager& eager, const Tensor& query) {
  const Sizes& sizes = query.sizes();
  constexpr std::int64_t kWarp = 32;
  if (query.type.element != ElementType::fp32)
    return dense(ElementType::fp32, {sizes[0], sizes[1], sizes[2], 1});
  const std::int64_t rows = (sizes[2] + kWarp - 1) / kWarp * kWarp;
  return dense(ElementType::fp32, {sizes[0], sizes[1], eager.keeps_graph ? rows : 0});
}

Tensor fused_attention(Eager& eager, const Tensors& full) {
  const Tensors low = in_low_format(eager, full);
  const TensorType type = heads_inside(low[0]);
  const Tensors results =
      eager.run("attention", {low[0], low[1], low[2], Argument{}, 0.0, false, Argument{}},
                std::vector{type, sums(eager, low[0])});
  const Tensor output = results[0];
  if (eager.keeps_graph && low[0].needs_gradient())
    eager.view("detach", output, {output}, output.type);
  Tensors kept;
  for (const Tensor& each : low) kept.push_back(detached(each));
  return eager.connected(
      output, low,
      [&eager, kept, output, logarithms = results[1], type](const Tensors& gradients) -> Tensors {
        eager.view("detach", output, {output}, output.type);
        return eager.run("attention_backward",
                         {gradients[0], kept[0], kept[1], kept[2], Argument{}, output, logarithms,
                          0.0, false, Argument{}},
                         std::vector{type, type, type});
      });
}

Tensor plain_attention(Eager& eager, const Tensors& parts, std::int64_t width) {
  const Tensor scaled = multiply_number(eager, parts[0], 1 / std::sqrt(static_cast<double>(width)));
  const Tensor scores = matmul(eager, scaled, transpose(eager, parts[1], -2, -1));
  return matmul(eager, softmax(eager, scores, -1), parts[2]);
}

}  // namespace

Tensor self_attention(Eager& eager, const Tensor& x, const AttentionWeights& weights,
                      const AttentionModules& modules, std::int64_t heads, bool fused) {
  const std::int64_t batch = x.size(0), length = x.size(1), channels = x.size(2);
  const int own = std::exchange(eager.recorder.module, modules.in_projection);
  Tensor projected = linear(eager, x, weights.in_weight, weights.in_bias);
  eager.recorder.module = own;
  projected = view_as(eager, projected, {batch, length, 3, heads, channels / heads});
  const Tensors parts = unbind(eager, permute(eager, projected, {2, 0, 3, 1, 4}));
  const Tensor mixed =
      fused ? fused_attention(eager, parts) : plain_attention(eager, parts, channels / heads);
  const Tensor joined = reshape(eager, transpose(eager, mixed, 1, 2), {batch, length, channels});
  eager.recorder.module = modules.out_projection;
  const Tensor result = linear(eager, joined, weights.out_weight, weights.out_bias);
  eager.recorder.module = own;
  return result;
}

}  // namespace ampere::lowering
