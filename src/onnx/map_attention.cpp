// The operator of later opsets, taken apart: what it does is then recognised as it is in files that
// write it out.
#include <algorithm>
#include <cfloat>
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

// Heads of keys or values that several heads of queries share, once for each of these.
Value spread_heads(Importer& importer, const Node& node, Value value, std::int64_t heads) {
  const Dims dims = dims_of(value.view);
  if (dims[1] == heads) return value;
  if (dims[1] < 1 || heads % dims[1] != 0) throw Unsupported{"the heads do not fit"};
  const std::int64_t each = heads / dims[1];
  value.view.axes.insert(value.view.axes.begin() + 2, Axis{});
  value = repeated(importer, node, value, {dims[0], dims[1], each, dims[2], dims[3]});
  const std::optional<View> joined = reshaped(value.view, {dims[0], heads, dims[2], dims[3]});
  if (!joined) throw Unsupported{"the heads do not fit"};
  return {value.layer, *joined};
}

// What is added to the scores: the file's own mask, and the future hidden.
Constant score_mask(Importer& importer, const Node& node, std::int64_t rows, std::int64_t columns) {
  Constant mask = filled({rows, columns}, 0);
  if (importer.has(node, 3)) {
    mask = importer.constant(node, 3);
    if (mask.type() == ElementType::boolean)
      mask = mapped(mask, [](double kept) { return kept != 0 ? 0.0 : -FLT_MAX; });
  }
  if (integer(node, "is_causal", 0) == 0) return mask;
  Constant future =
      Constant::made({rows, columns}, ElementType::float32, {}, [=](const std::vector<Constant>&) {
        Constant::Numbers numbers(static_cast<std::size_t>(element_count({rows, columns})), 0);
        for (std::int64_t i = 0; i < rows; ++i)
          for (std::int64_t j = i + 1; j < columns; ++j) numbers[i * columns + j] = -FLT_MAX;
        return numbers;
      });
  return combined(mask, future, [](double a, double b) { return std::min(a, b); });
}

}  // namespace

void import_attention(Importer& importer, const Node& node) {
  for (std::size_t i = 4; i < node.inputs.size(); ++i)
    if (importer.has(node, i)) throw Unsupported{"attention with a cache"};
  if (importer.has(node, 3) && !importer.is_constant(node, 3))
    throw Unsupported{"attention with a mask that depends on the data"};
  if (find_attribute(node, "softcap") && real(node, "softcap", 0) != 0)
    throw Unsupported{"attention whose scores are capped"};
  const Value given = importer.value(node, 0);
  const Value q = by_heads(given, integer(node, "q_num_heads", 0));
  const std::int64_t heads = length_of(q.view.axes[1]);
  const std::int64_t of_keys = integer(node, "kv_num_heads", heads);
  Value k = spread_heads(importer, node, by_heads(importer.value(node, 1), of_keys), heads);
  const Value v = spread_heads(importer, node, by_heads(importer.value(node, 2), of_keys), heads);
  std::swap(k.view.axes[2], k.view.axes[3]);
  const double d = static_cast<double>(length_of(q.view.axes[3]));
  Value scores = multiplied(importer, node, product_of(importer, node, q, k),
                            real(node, "scale", 1 / std::sqrt(d)));
  if (importer.has(node, 3) || integer(node, "is_causal", 0) != 0) {
    Node sum = node;
    sum.op = "Add";
    const Dims dims = dims_of(scores.view);
    scores =
        with_constant(importer, sum, scores, score_mask(importer, node, dims[2], dims[3]), true);
  }
  Value result = product_of(importer, node, softmax_of(importer, node, scores, 3, false), v);
  if (given.view.axes.size() == 3) {
    result.view = permuted(result.view, {0, 2, 1, 3});
    const Dims dims = dims_of(result.view);
    result.view = *reshaped(result.view, {dims[0], dims[1], dims[2] * dims[3]});
  }
  importer.set(node, 0, result);
}

}  // namespace ampere::onnx
