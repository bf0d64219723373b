#include <fmt/format.h>

#include "onnx/handlers.h"
#include "onnx/windows.h"

namespace ampere::onnx {
namespace {

struct Filter {
  Constant weight;
  Dims kernel;
  Value input;  // settled as an image or a line
};

Filter filter_of(Importer& importer, const Node& node) {
  const Value value = importer.value(node, 0);
  if (!importer.is_constant(node, 1)) throw Unsupported{"its weights are computed"};
  const Constant& weight = importer.constant(node, 1);
  const std::size_t rank = value.view.axes.size();
  if (rank != 3 && rank != 4)
    throw Unsupported{
        fmt::format("convolutions over {} axes are not known", static_cast<int>(rank) - 2)};
  if (weight.dims().size() != rank) throw Unsupported{"the weight's axes do not fit the input's"};
  return {weight, Dims(weight.dims().begin() + 2, weight.dims().end()),
          importer.settled(node, value, rank == 4 ? Layout::image : Layout::line)};
}

// A bias of zeros that no initializer holds is how an exporter writes that there is none.
std::map<std::string, Constant> weights_of(Importer& importer, const Node& node,
                                           const Constant& weight) {
  std::map<std::string, Constant> weights{{"weight", weight}};
  if (!importer.has(node, 2)) return weights;
  const Constant& bias = importer.constant(node, 2);
  if (!bias.learned && all_equal(bias, 0)) return weights;
  weights["bias"] = bias;
  return weights;
}

void check_weight(const Constant& weight, std::size_t axis, std::int64_t expected) {
  if (weight.dims()[axis] != expected)
    throw Unsupported{fmt::format("axis {} of its weight has the length {}, not {}", axis,
                                  weight.dims()[axis], expected)};
}

void check_bias(const std::map<std::string, Constant>& weights, std::int64_t channels) {
  const auto bias = weights.find("bias");
  if (bias != weights.end() && bias->second.elements() != channels)
    throw Unsupported{"its bias is not one number a channel"};
}

}  // namespace

void import_conv(Importer& importer, const Node& node) {
  Filter filter = filter_of(importer, node);
  Window window = window_of(node, importer.shape(filter.input).extent, filter.kernel);
  filter.input = with_padding(importer, node, filter.input, window, 0);
  const std::int64_t in = importer.shape(filter.input).channels;
  const std::int64_t out = filter.weight.dims()[0], groups = integer(node, "group", 1);
  if (groups < 1 || in % groups != 0) throw Unsupported{"the groups do not divide the channels"};
  check_weight(filter.weight, 1, in / groups);
  const auto weights = weights_of(importer, node, filter.weight);
  check_bias(weights, out);
  Conv conv{.out_channels = out,
            .kernel = window.kernel,
            .stride = window.stride,
            .padding = window.before,
            .dilation = window.dilation,
            .groups = groups,
            .depthwise = groups > 1 && groups == in && in == out,
            .bias = weights.contains("bias")};
  importer.set(node, 0, importer.native(importer.emit(node, conv, {filter.input.layer}, weights)));
}

void import_conv_transpose(Importer& importer, const Node& node) {
  const Filter filter = filter_of(importer, node);
  const Dims& extent = importer.shape(filter.input).extent;
  Window window = window_of(node, extent, filter.kernel);
  Dims extra = integers(node, "output_padding", Dims(extent.size(), 0));
  if (extra.size() != extent.size()) throw Unsupported{"output_padding does not fit"};
  if (find_attribute(node, "output_shape") || text(node, "auto_pad", "NOTSET").starts_with("SAME"))
    throw Unsupported{"its padding is given by its output"};
  // What is cut off at the end only is as if less had been added there.
  for (std::size_t i = 0; i < extent.size(); ++i) {
    extra[i] += window.before[i] - window.after[i];
    if (extra[i] < 0) throw Unsupported{"cuts more off at the end than at the beginning"};
  }
  const std::int64_t groups = integer(node, "group", 1);
  if (groups < 1 || groups > 1 << 24) throw Unsupported{"the groups do not fit"};
  check_weight(filter.weight, 0, importer.shape(filter.input).channels);
  const std::int64_t out = element_count({filter.weight.dims()[1], groups});
  const auto weights = weights_of(importer, node, filter.weight);
  check_bias(weights, out);
  ConvTranspose conv{.out_channels = out,
                     .kernel = window.kernel,
                     .stride = window.stride,
                     .padding = window.before,
                     .output_padding = extra,
                     .dilation = window.dilation,
                     .groups = groups,
                     .bias = weights.contains("bias")};
  importer.set(node, 0, importer.native(importer.emit(node, conv, {filter.input.layer}, weights)));
}

}  // namespace ampere::onnx
