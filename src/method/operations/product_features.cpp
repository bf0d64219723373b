// Matrix products, convolutions and attention: tiles of the result are computed by thread blocks.
#include <algorithm>
#include <cmath>

#include "method/operations/part_features.h"
#include "method/operations/tensor_layout.h"
#include "program/tensor_type.h"

namespace ampere {
namespace {

constexpr double kTile = 128;
constexpr double kAttentionTile = 64;
constexpr double kMostAlignment = 5;  // 2⁵ bytes, the longest load of a thread

double tiles(double size, double tile) { return std::ceil(size / tile); }

// How much longer a size becomes when it is padded to whole tiles.
double padding(double size, double tile) { return size > 0 ? tiles(size, tile) * tile / size : 1; }

// 0: the last axis of a factor is contiguous, 1: the one before, 2: neither.
double layout_of_factor(const TensorType& type) {
  const std::size_t last = type.sizes.size() - 1;
  if (type.strides[last] == 1 || type.sizes[last] == 1) return 0;
  return type.strides[last - 1] == 1 || type.sizes[last - 1] == 1 ? 1 : 2;
}

// To how many bytes the rows of a matrix are aligned, as a power of two. Odd row lengths in bf16
// make products several times slower.
double row_alignment(const TensorType& type) {
  std::int64_t leading = 0;
  for (std::size_t back = 1; back <= 2; ++back) {
    const std::size_t axis = type.sizes.size() - back;
    if (type.sizes[axis] > 1) leading = std::max(leading, type.strides[axis]);
  }
  if (leading == 0) leading = 64;
  return std::min(factors_of_two(leading * bytes_of(type.element)), kMostAlignment);
}

// The channels' layout of the incoming gradient; one that is expanded is copied in that of the
// input.
double gradient_channels_last(const TensorType& x, const TensorType& y) {
  return is_channels_last(is_expanded(y) ? x : y) ? 1 : 0;
}

struct ConvolutionSize {
  double batch = 1, inputs = 1, outputs = 1, groups = 1;  // channels
  double taps = 1;                                        // of the kernel
  double input_places = 1, output_places = 1;
  bool transposed = false;

  double rows() const { return batch * (transposed ? input_places : output_places); }
  double inputs_per_group() const { return std::max(1.0, std::floor(inputs / groups)); }
  double outputs_per_group() const { return std::max(1.0, std::floor(outputs / groups)); }
  // Multiply-adds of one of the convolution's products.
  double products() const {
    return transposed ? rows() * inputs * outputs_per_group() * taps
                      : rows() * outputs * inputs_per_group() * taps;
  }
};

}  // namespace

void add_product_features(const FeatureInput& in, FeatureRow& row) {
  // A sum with a third matrix or a bias has that one first.
  const bool added = plain_name(in.view.operation()).find("add") != std::string_view::npos;
  const TensorType& a = in.view.tensor(added ? 1 : 0, 2);
  const TensorType& b = in.view.tensor(added ? 2 : 1, 2);
  const TensorType& c = in.view.result(0, 2);
  const std::size_t axes = a.sizes.size();
  const std::int64_t m = a.sizes[axes - 2], k = a.sizes[axes - 1], n = b.sizes.back();
  const auto rows = static_cast<double>(m), columns = static_cast<double>(n);
  const double batch = axes > 2 ? static_cast<double>(a.sizes[0]) : 1;
  row.add_log("log2 M", rows);
  row.add_log("log2 N", columns);
  row.add_log("log2 K", static_cast<double>(k));
  row.add_log("log2 B", batch);
  row.add("layout of A", layout_of_factor(a));
  row.add("layout of B", layout_of_factor(b));
  row.add("bias", added ? 1 : 0);
  row.add("twos in M", factors_of_two(m));
  row.add("twos in N", factors_of_two(n));
  row.add("twos in K", factors_of_two(k));
  row.add_waves("waves 128x128", "whole waves 128x128",
                batch * tiles(rows, kTile) * tiles(columns, kTile));
  row.add_waves("waves 256x128", "whole waves 256x128",
                batch * tiles(rows, 2 * kTile) * tiles(columns, kTile));
  row.add_waves("waves 64x64", "whole waves 64x64",
                batch * tiles(rows, kTile / 2) * tiles(columns, kTile / 2));
  row.add("padding", padding(rows, kTile) * padding(columns, kTile));
  row.add_log("log2 min(M, N)", std::min(rows, columns));
  row.add("log2 M/N", log2_of(rows) - log2_of(columns));
  row.add("alignment of A", row_alignment(a));
  row.add("alignment of B", row_alignment(b));
  row.add("alignment of C", row_alignment(c));
}

void add_convolution_features(const FeatureInput& in, bool backward, FeatureRow& row) {
  const Operation& operation = in.view.operation();
  const std::size_t first = backward ? 1 : 0;  // the backward pass begins with the gradient
  const TensorType& x = in.view.tensor(first, 2);
  const TensorType& w = in.view.tensor(first + 1, 2);
  const TensorType& y = backward ? in.view.tensor(0, 2) : in.view.result(0, 2);
  ConvolutionSize size;
  size.batch = static_cast<double>(x.sizes[0]);
  size.inputs = static_cast<double>(x.sizes[1]);
  size.outputs = static_cast<double>(y.sizes[1]);
  size.taps = elements_from(w, 2);
  size.input_places = elements_from(x, 2);
  size.output_places = elements_from(y, 2);
  size.transposed = in.view.flag(first + 6, false);
  size.groups = static_cast<double>(std::max<std::int64_t>(1, in.view.number(first + 8, 1)));
  const double per_group_in = size.inputs_per_group(), per_group_out = size.outputs_per_group();
  const double inner = per_group_in * size.taps;

  const bool depthwise = size.groups > 1 && size.groups == size.inputs && !size.transposed;
  const bool has_bias = backward ? in.view.listed_flag(10, 2)
                                 : std::holds_alternative<TensorIndex>(operation.arguments[2].is);
  row.add("gradient of input", backward && in.view.listed_flag(10, 0) ? 1 : 0);
  row.add("gradient of weight", backward && in.view.listed_flag(10, 1) ? 1 : 0);
  row.add("bias", has_bias ? 1 : 0);
  row.add_log("log2 batch", size.batch);
  row.add_log("log2 inputs", size.inputs);
  row.add_log("log2 outputs", size.outputs);
  row.add_log("log2 output places", size.output_places);
  row.add_log("log2 input places", size.input_places);
  row.add("kernel width", std::sqrt(size.taps));
  row.add("kernel height", w.sizes.size() > 2 ? static_cast<double>(w.sizes[2]) : 1);
  row.add("stride", static_cast<double>(listed_number(operation, 3 + first, 0, 1)));
  row.add("dilation", static_cast<double>(listed_number(operation, 5 + first, 0, 1)));
  row.add("padded", listed_number(operation, 4 + first, 0, 0) > 0 ? 1 : 0);
  row.add("transposed", size.transposed ? 1 : 0);
  row.add_log("log2 groups", size.groups);
  row.add("depthwise", depthwise ? 1 : 0);
  row.add_log("log2 inputs per group", per_group_in);
  row.add_log("log2 outputs per group", per_group_out);
  row.add("input channels last", is_channels_last(x) ? 1 : 0);
  row.add("output channels last", gradient_channels_last(x, y));
  row.add("weight channels last", size.taps > 1 && is_channels_last(w) ? 1 : 0);
  row.add("twos in inputs", factors_of_two(static_cast<std::int64_t>(per_group_in)));
  row.add("twos in outputs", factors_of_two(static_cast<std::int64_t>(per_group_out)));
  row.add("twos in output places", factors_of_two(static_cast<std::int64_t>(size.output_places)));
  row.add("twos in input width", factors_of_two(x.sizes.back()));
  row.add_log("log2 M", size.rows());
  row.add_log("log2 K", inner);
  row.add_log("log2 output width", static_cast<double>(y.sizes.back()));
  row.add("pointwise", size.taps == 1 && size.groups == 1 ? 1 : 0);
  row.add_log("log2 products", size.products());
  row.add_waves("waves", "whole waves",
                size.groups * tiles(size.rows(), kTile) * tiles(per_group_out, kTile));
  // The gradient of the weight has few tiles: it is parallel only by splitting M.
  row.add_log("waves of weights", size.groups * tiles(per_group_out, kTile) * tiles(inner, kTile) /
                                      row.multiprocessors());
  row.add("padding of outputs", padding(per_group_out, 64));
  row.add("padding of inputs", padding(per_group_in, 8));
}

void add_attention_features(const FeatureInput& in, bool backward, FeatureRow& row) {
  const Operation& operation = in.view.operation();
  const std::size_t first = backward ? 1 : 0;
  const TensorType& query = in.view.tensor(first, 2);
  const TensorType& key = in.view.tensor(first + 1, 2);
  const std::size_t axes = query.sizes.size();
  const std::int64_t length = query.sizes[axes - 2];
  const auto queries = static_cast<double>(length);
  const auto keys = static_cast<double>(key.sizes[key.sizes.size() - 2]);
  const auto depth = static_cast<double>(query.sizes.back());
  const double heads = elements_of(query) / std::max(1.0, queries * depth);
  const std::size_t mask = first + 3, dropout = backward ? 7 : 4, causal = backward ? 8 : 5;
  const bool masked = mask < operation.arguments.size() &&
                      std::holds_alternative<TensorIndex>(operation.arguments[mask].is);
  const double* dropped = dropout < operation.arguments.size()
                              ? std::get_if<double>(&operation.arguments[dropout].is)
                              : nullptr;
  row.add_log("log2 heads", heads);
  row.add_log("log2 queries", queries);
  row.add_log("log2 keys", keys);
  row.add("depth", depth);
  row.add("mask", masked ? 1 : 0);
  row.add("causal", in.view.flag(causal, false) ? 1 : 0);
  row.add("dropout", dropped != nullptr && *dropped > 0 ? 1 : 0);
  row.add("twos in queries", factors_of_two(length));
  row.add("heads before queries",
          axes > 2 && query.strides[axes - 3] > query.strides[axes - 2] ? 1 : 0);
  row.add("padding of queries", padding(queries, kAttentionTile));
  row.add("padding of keys", padding(keys, kAttentionTile));
  row.add_waves("waves", "whole waves", heads * tiles(queries, kAttentionTile));
}

}  // namespace ampere
