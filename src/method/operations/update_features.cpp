// Pointwise operations, and updates of many tensors in one call.
#include <algorithm>
#include <set>

#include "method/operations/device_work.h"
#include "method/operations/part_features.h"
#include "method/operations/tensor_layout.h"
#include "program/tensor_type.h"

namespace ampere {
namespace {

constexpr double kSmallTensor = 65536;  // elements of one chunk

}  // namespace

void add_update_features(const FeatureInput& in, FeatureRow& row) {
  const UpdateSize size = update_size(in.view.operation(), in.tensors);
  const auto tensors = static_cast<double>(std::max<std::size_t>(1, size.first.size()));
  double elements = 0, most = 0, small = 0;
  for (const TensorType* type : size.first) {
    const double its = elements_of(*type);
    elements += its;
    most = std::max(most, its);
    small += its < kSmallTensor ? 1 : 0;
  }
  row.add("lists", size.depth);
  row.add_log("log2 tensors", tensors);
  row.add_log("log2 chunks", size.chunks);
  row.add_log("log2 launches", size.launches);
  row.add_log("log2 mean elements", elements / tensors);
  row.add_flag("makes new tensors", size.makes_new);
  row.add_log("log2 most elements", most);
  row.add_flag("scalar list", size.has_scalar_list);
  row.add("share of small tensors", small / tensors);
}

void add_pointwise_features(const FeatureInput& in, FeatureRow& row) {
  const TensorType& out = in.output;
  const double elements = elements_of(out);
  const bool joins = plain_name(in.view.operation()) == "cat";
  double operands = 0, run = 0;
  bool same = true, broadcast = false, contiguous = true;
  int least_bytes = bytes_of(out.element), most_bytes = least_bytes;
  std::set<int> fastest;  // axes; several of them mean a transposing copy
  const auto look_at = [&](const TensorType& type) {
    if (elements_of(type) == elements && elements > 1) fastest.insert(fastest_axis(type));
    if (joins || distinct_elements(type) <= 1) return;
    const double its = dense_run(type);
    run = run == 0 ? its : std::min(run, its);
  };
  for (const TensorType* type : in.of.inputs) {
    if (elements_of(*type) <= 1) continue;
    ++operands;
    same = same && type->sizes == out.sizes && type->strides == out.strides;
    broadcast =
        broadcast || elements_of(*type) < elements || distinct_elements(*type) < elements_of(*type);
    contiguous = contiguous && is_contiguous(*type);
    least_bytes = std::min(least_bytes, bytes_of(type->element));
    most_bytes = std::max(most_bytes, bytes_of(type->element));
    look_at(*type);
    const double joined = elements_from(*type, 1);
    if (joins) run = run == 0 ? joined : std::min(run, joined);
  }
  look_at(out);
  row.add("operands", operands);
  row.add("results", static_cast<double>(in.of.outputs.size()));
  row.add_flag("same layout", same);
  row.add_flag("broadcast", broadcast);
  row.add_log("log2 dense run", std::max(1.0, run));
  row.add_flag("transposes", fastest.size() > 1);
  row.add("least bytes", least_bytes);
  row.add("most bytes", most_bytes);
  row.add("bytes of output", bytes_of(out.element));
  row.add_log("log2 last axis", static_cast<double>(last_size(out)));
  row.add("twos in last axis", factors_of_two(last_size(out)));
  row.add_flag("joins", joins);
  row.add_flag("contiguous", contiguous);
  row.add("axes", static_cast<double>(out.sizes.size()));
  row.add("twos in elements", factors_of_two(static_cast<std::int64_t>(elements)));
  row.add_log("log2 output elements", elements);
  row.add_log("log2 input elements", elements_of(in.input));
}

}  // namespace ampere
