// The operator of later opsets, taken apart: what it does is then recognised as it is in files that
// write it out.
#include <cmath>

#include "onnx/handlers.h"

namespace ampere::onnx {
namespace {

// (N, T, heads · d) as (N, heads, T, d).
Value by_heads(const Value& value, std::int64_t heads) {
  if (value.view.axes.size() == 4) return value;
  const Dims dims = dims_of(value.view);
  if (dims.size() != 3 || heads < 1 || dims[2] % heads != 0)
    throw Unsupported{"the heads do not fit"};
  const std::optional<View> split =
      reshaped(value.view, {dims[0], dims[1], heads, dims[2] / heads});
  if (!split) throw Unsupported{"the heads do not fit"};
  return {value.layer, permuted(*split, {0, 2, 1, 3})};
}

}  // namespace

void import_attention(Importer& importer, const Node& node) {
  for (std::size_t i = 3; i < node.inputs.size(); ++i)
    if (importer.has(node, i)) throw Unsupported{"attention with a mask or a cache"};
  if (integer(node, "is_causal", 0) != 0) throw Unsupported{"causal attention in one operator"};
  if (find_attribute(node, "softcap") && real(node, "softcap", 0) != 0)
    throw Unsupported{"attention whose scores are capped"};
  const Value given = importer.value(node, 0);
  const std::int64_t heads = integer(node, "q_num_heads", 0);
  const Value q = by_heads(given, heads);
  Value k = by_heads(importer.value(node, 1), integer(node, "kv_num_heads", heads));
  const Value v = by_heads(importer.value(node, 2), integer(node, "kv_num_heads", heads));
  std::swap(k.view.axes[2], k.view.axes[3]);
  const double d = static_cast<double>(length_of(q.view.axes[3]));
  const Value scores = multiplied(importer, node, product_of(importer, node, q, k),
                                  real(node, "scale", 1 / std::sqrt(d)));
  Value result = product_of(importer, node, softmax_of(importer, node, scores, 3, false), v);
  if (given.view.axes.size() == 3) {
    result.view = permuted(result.view, {0, 2, 1, 3});
    const Dims dims = dims_of(result.view);
    result.view = *reshaped(result.view, {dims[0], dims[1], dims[2] * dims[3]});
  }
  importer.set(node, 0, result);
}

}  // namespace ampere::onnx
