#include <fmt/format.h>

#include <cmath>

#include "onnx/handlers.h"

namespace ampere::onnx {
namespace {

// Lengths of the output, from sizes or from scales; both may name only some of the axes.
Dims target_dims(Importer& importer, const Node& node, const Dims& dims) {
  const bool is_old = node.op == "Upsample" || importer.file().opset < 11;
  const std::size_t scales_at = is_old ? 1 : 2;
  Dims all(dims.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
  const Dims axes = integers(node, "axes", all);
  Constant::Numbers scales;
  Dims target = dims;
  if (importer.has(node, 3)) {
    const Dims sizes = importer.constant(node, 3).integers();
    if (sizes.size() != axes.size()) throw Unsupported{"the sizes do not fit"};
    for (std::size_t i = 0; i < axes.size(); ++i)
      target[axis_index(axes[i], dims.size())] = sizes[i];
    return target;
  }
  if (importer.has(node, scales_at)) scales = importer.constant(node, scales_at).numbers();
  if (const Attribute* given = find_attribute(node, "scales"))
    scales.assign(given->reals.begin(), given->reals.end());
  if (scales.size() != axes.size()) throw Unsupported{"the scales do not fit"};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!(scales[i] > 0 && scales[i] < 1e6)) throw Unsupported{"a scale that is no size"};
    std::int64_t& length = target[axis_index(axes[i], dims.size())];
    length = static_cast<std::int64_t>(std::floor(static_cast<double>(length) * scales[i]));
  }
  return target;
}

}  // namespace

void import_resize(Importer& importer, const Node& node) {
  Value value = importer.value(node, 0);
  const std::size_t rank = value.view.axes.size();
  if (rank != 3 && rank != 4) throw Unsupported{"resizes neither a line nor an image"};
  const Dims dims = dims_of(value.view), target = target_dims(importer, node, dims);
  if (target[0] != dims[0] || target[1] != dims[1])
    throw Unsupported{"resizes the batch or the channels"};
  const std::string_view mode = text(node, "mode", "nearest");
  if (mode != "nearest" && mode != "linear")
    throw Unsupported{fmt::format("interpolates by '{}'; only nearest and linear are known", mode)};
  const std::string_view how = text(node, "coordinate_transformation_mode", "half_pixel");
  if (mode == "linear" && how != "half_pixel" && how != "pytorch_half_pixel" &&
      how != "align_corners" && node.op != "Upsample")
    throw Unsupported{fmt::format("places samples by '{}'", how)};
  value = importer.settled(node, value, rank == 4 ? Layout::image : Layout::line);
  const Upsample upsample{Dims(target.begin() + 2, target.end()),
                          mode == "linear" ? Interpolation::linear : Interpolation::nearest,
                          mode == "linear" && how == "align_corners"};
  importer.set(node, 0, importer.native(importer.emit(node, upsample, {value.layer})));
}

}  // namespace ampere::onnx
