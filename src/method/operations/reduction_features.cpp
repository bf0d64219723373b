// Norms, reductions, recurrent layers, and what picks or pools elements.
#include <algorithm>
#include <cmath>

#include "method/operations/device_work.h"
#include "method/operations/part_features.h"
#include "method/operations/tensor_layout.h"
#include "program/tensor_type.h"

namespace ampere {
namespace {

bool contains(std::string_view name, std::string_view word) {
  return name.find(word) != std::string_view::npos;
}

std::int64_t whole(double value) { return static_cast<std::int64_t>(value); }

// A norm over `reduced` elements for each of so many rows.
struct NormSize {
  double kind = 0;  // 0 batch, 1 layer, 2 group
  double channels = 1, inner = 1, reduced = 1, rows = 1, outer = 1;
};

NormSize norm_size(const FeatureInput& in, const TensorType& x, bool backward) {
  const std::string_view name = plain_name(in.view.operation());
  const double elements = elements_of(x);
  NormSize size;
  if (contains(name, "batch_norm")) {
    if (x.sizes.size() < 2) in.view.fail("the input has no axis of channels");
    size.outer = static_cast<double>(x.sizes[0]);
    size.rows = size.channels = static_cast<double>(x.sizes[1]);
    size.inner = elements_from(x, 2);
    size.reduced = std::floor(elements / std::max(1.0, size.channels));
    return size;
  }
  if (contains(name, "group_norm")) {
    const std::size_t first = backward ? 5 : 3;
    const auto number = [&](std::size_t at) {
      return static_cast<double>(std::max<std::int64_t>(1, in.view.number(first + at, 1)));
    };
    size.kind = 2;
    size.outer = number(0), size.channels = number(1), size.inner = number(2);
    size.rows = size.outer * number(3);
    size.reduced = std::floor(size.channels / number(3)) * size.inner;
    return size;
  }
  size.kind = 1;
  const std::size_t shape = backward ? 2 : 1;
  const auto* axes = shape < in.view.arguments()
                         ? std::get_if<ValueList>(&in.view.operation().arguments[shape].is)
                         : nullptr;
  if (axes == nullptr || axes->size() > x.sizes.size())
    in.view.fail("the shape over which it normalises is missing");
  size.reduced = std::max(1.0, elements_from(x, x.sizes.size() - axes->size()));
  size.inner = size.channels = size.reduced;
  size.rows = size.outer = std::floor(elements / size.reduced);
  return size;
}

// The axis of a softmax: the first whole number among the arguments.
std::size_t softmax_axis(const Operation& operation, std::size_t axes) {
  for (const Value& value : operation.arguments)
    if (const auto* axis = std::get_if<std::int64_t>(&value.is)) {
      const auto count = static_cast<std::int64_t>(axes);
      return static_cast<std::size_t>((*axis % count + count) % count);
    }
  return axes - 1;
}

// Whether a sum goes over the axis that is contiguous; without a list of axes it goes over all.
bool reduces_fastest_axis(const Operation& operation, const TensorType& x) {
  const int fastest = fastest_axis(x);
  const auto axes = static_cast<std::int64_t>(x.sizes.size());
  if (fastest < 0 || axes == 0) return false;
  for (const Value& value : operation.arguments) {
    const auto* list = std::get_if<ValueList>(&value.is);
    if (list == nullptr || list->empty()) continue;
    return std::ranges::any_of(*list, [&](const Value& each) {
      const auto* axis = std::get_if<std::int64_t>(&each.is);
      return axis != nullptr && (*axis % axes + axes) % axes == fastest;
    });
  }
  return true;
}

void add_sizes(const FeatureInput& in, FeatureRow& row) {
  row.add_log("log2 output elements", elements_of(in.output));
  row.add_log("log2 input elements", elements_of(in.input));
}

}  // namespace

void add_norm_features(const FeatureInput& in, bool backward, FeatureRow& row) {
  const TensorType& x = in.view.tensor(backward ? 1 : 0, 1);
  const NormSize size = norm_size(in, x, backward);
  row.add("kind", size.kind);
  row.add("copies", copied_arguments_of_norm(in.view.operation(), in.tensors));
  row.add_log("log2 channels", size.channels);
  row.add_log("log2 inner", size.inner);
  row.add_log("log2 reduced", size.reduced);
  row.add_log("log2 rows", size.rows);
  row.add_log("log2 outer", size.outer);
  row.add_flag("channels last", is_channels_last(x));
  row.add("twos in inner", factors_of_two(whole(size.inner)));
  row.add_flag("contiguous", is_contiguous(x));
  row.add_waves("waves", "whole waves", size.rows);
}

void add_reduction_features(const FeatureInput& in, FeatureRow& row) {
  const Operation& operation = in.view.operation();
  const std::string_view name = plain_name(operation);
  const TensorType& x = in.input;
  const bool softmax = contains(name, "softmax");
  double reduced = 1, kept = 1;
  bool inner = false;
  if ((softmax || contains(name, "cum")) && !x.sizes.empty()) {
    const std::size_t axis = softmax ? softmax_axis(operation, x.sizes.size()) : x.sizes.size() - 1;
    reduced = std::max(1.0, static_cast<double>(x.sizes[axis]));
    kept = std::floor(elements_of(x) / reduced);
    inner = axis + 1 == x.sizes.size();
  } else {
    kept = std::max(1.0, elements_of(in.output));
    reduced = std::floor(elements_of(x) / kept);
    inner = reduces_fastest_axis(operation, x);
  }
  row.add_log("log2 reduced", reduced);
  row.add_log("log2 kept", kept);
  row.add_flag("inner", inner);
  row.add_flag("softmax", softmax);
  row.add_flag("backward", contains(name, "backward"));
  row.add_flag("contiguous", is_contiguous(x));
  row.add("twos in reduced", factors_of_two(whole(reduced)));
  row.add("twos in kept", factors_of_two(whole(kept)));
  row.add_flag("expanded", is_expanded(x));
  row.add_log("waves", kept / row.multiprocessors());
  add_sizes(in, row);
}

void add_recurrent_features(const FeatureInput& in, FeatureRow& row) {
  const RecurrentSize size = recurrent_size(in.view);
  row.add_flag("backward", size.backward);
  row.add_log("log2 steps", size.steps);
  row.add_log("log2 batch", size.batch);
  row.add_log("log2 input", size.input);
  row.add_log("log2 hidden", size.hidden);
  row.add("layers", size.layers);
  row.add_log("log2 launches", size.steps * size.layers);
  row.add_log("log2 flops of a step", 2 * size.weights * size.batch);
  row.add_log("log2 bytes of weights", size.weights * bytes_of(in.input.element));
  row.add("twos in batch", factors_of_two(whole(size.batch)));
  row.add("twos in hidden", factors_of_two(whole(size.hidden)));
}

void add_index_features(const FeatureInput& in, FeatureRow& row) {
  const TensorType* indices = nullptr;
  bool contiguous = true;
  for (const TensorType* type : in.of.inputs) {
    contiguous = contiguous && is_contiguous(*type);
    if (indices == nullptr && is_index(type->element)) indices = type;
  }
  const bool fills_table = plain_name(in.view.operation()) == "embedding_dense_backward";
  const TensorType& table = fills_table ? in.output : in.input;
  const double rows = indices == nullptr ? 1 : elements_of(*indices);
  const double table_rows = table.sizes.empty() ? 1 : static_cast<double>(table.sizes[0]);
  row.add_log("log2 rows", rows);
  row.add_log("log2 width", static_cast<double>(last_size(in.output)));
  row.add_log("log2 rows of table", table_rows);
  row.add_log("log2 uses of a row", rows / std::max(1.0, table_rows));
  row.add_flag("indices expanded", indices != nullptr && is_expanded(*indices));
  row.add_flag("contiguous", contiguous);
  add_sizes(in, row);
}

void add_pool_features(const FeatureInput& in, FeatureRow& row) {
  const Operation& operation = in.view.operation();
  const std::string_view name = plain_name(operation);
  const bool backward = contains(name, "backward");
  // A pooling window and its stride are the first two lists; an upsampling has sizes instead.
  std::int64_t window = 2, stride = 2;
  if (!contains(name, "upsample")) {
    const std::size_t first = backward ? 2 : 1;
    window = listed_number(operation, first, 0, 2);
    stride = listed_number(operation, first + 1, 0, window);
  }
  const TensorType& first = in.of.inputs.empty() ? in.input : *in.of.inputs.front();
  row.add_flag("backward", backward);
  row.add("window", static_cast<double>(window));
  row.add("stride", static_cast<double>(stride));
  row.add_flag("channels last", is_channels_last(in.input));
  row.add("twos in width", factors_of_two(last_size(in.input)));
  row.add_log("log2 places", elements_from(in.input, 2));
  row.add_flag("expanded", is_expanded(first));
  add_sizes(in, row);
}

}  // namespace ampere
