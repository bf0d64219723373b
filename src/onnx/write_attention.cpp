#include <cmath>

#include "onnx/writers.h"

namespace ampere::onnx {

// softmax(Q·Kᵀ/√d)·V of each head, between a projection to Q, K and V and one back.
void write(Exporter& out, const SelfAttention& op) {
  const std::int64_t length = out.output().extent[0], channels = out.output().channels;
  const std::int64_t width = channels / op.heads;
  const std::string all =
      projected(out, out.value(), "in_proj_weight", op.bias ? "in_proj_bias" : "");
  const auto heads = [&](std::int64_t part, const Dims& order) {
    const std::string third =
        out.step("Slice", {all, out.integers({part * channels}),
                           out.integers({(part + 1) * channels}), out.integers({2})});
    return out.step("Transpose", {out.reshaped(third, {length, op.heads, width})},
                    {integers_attribute("perm", order)});
  };
  const std::string queries = heads(0, {0, 2, 1, 3}), keys = heads(1, {0, 2, 3, 1});
  const std::string scale = out.number(1 / std::sqrt(static_cast<double>(width)));
  const std::string scores = out.step("Mul", {out.step("MatMul", {queries, keys}), scale});
  const std::string shares = out.step("Softmax", {scores}, {integer_attribute("axis", -1)});
  const std::string mixed = out.step("MatMul", {shares, heads(2, {0, 2, 1, 3})});
  const std::string turned =
      out.step("Transpose", {mixed}, {integers_attribute("perm", {0, 2, 1, 3})});
  const std::string joined = out.reshaped(turned, {length, channels});
  out.give("Identity", {projected(out, joined, "out_proj.weight", op.bias ? "out_proj.bias" : "")});
}

}  // namespace ampere::onnx
