#include <numeric>

#include "model/axes.h"
#include "onnx/writers.h"

namespace ampere::onnx {
namespace {

Dims symmetric(const Dims& padding) {
  Dims pads = padding;
  pads.insert(pads.end(), padding.begin(), padding.end());
  return pads;
}

template <class Op>
Exporter::Attributes window_of(const Op& op, std::int64_t groups) {
  return {integers_attribute("kernel_shape", op.kernel), integers_attribute("strides", op.stride),
          integers_attribute("pads", symmetric(op.padding)),
          integers_attribute("dilations", op.dilation), integer_attribute("group", groups)};
}

Exporter::Names weighted(Exporter& out, bool bias) {
  Exporter::Names inputs{out.value(), out.tensor("weight")};
  if (bias) inputs.push_back(out.tensor("bias"));
  return inputs;
}

FloatTensor transposed(const FloatTensor& matrix) {
  const auto rows = static_cast<std::size_t>(matrix.sizes[0]);
  const auto columns = static_cast<std::size_t>(matrix.sizes[1]);
  FloatTensor result{{matrix.sizes[1], matrix.sizes[0]}, std::vector<float>(rows * columns)};
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      result.values[j * rows + i] = matrix.values[i * columns + j];
  return result;
}

}  // namespace

Dims channel_sizes(const TensorShape& shape) {
  Dims sizes(shape.axes().size(), 1);
  sizes[channel_axis(shape)] = shape.channels;
  return sizes;
}

Dims spread_sizes(const TensorShape& part, const TensorShape& whole) {
  if (part.layout != whole.layout && spreads_over(part, whole)) return channel_sizes(whole);
  Dims sizes = part.axes();
  if (sizes.size() < whole.axes().size())
    sizes.insert(sizes.begin(), whole.axes().size() - sizes.size(), 1);
  return sizes;
}

std::string projected(Exporter& out, const std::string& x, const std::string& weight,
                      const std::string& bias) {
  const std::string matrix = out.tensor(weight, transposed(out.weight(weight)));
  const std::string product = out.step("MatMul", {x, matrix});
  return bias.empty() ? product : out.step("Add", {product, out.tensor(bias)});
}

void write(Exporter& out, const Conv& op) {
  out.give("Conv", weighted(out, op.bias),
           window_of(op, op.depthwise ? out.input().channels : op.groups));
}

void write(Exporter& out, const ConvTranspose& op) {
  Exporter::Attributes attributes = window_of(op, op.groups);
  attributes.push_back(integers_attribute("output_padding", op.output_padding));
  out.give("ConvTranspose", weighted(out, op.bias), attributes);
}

void write(Exporter& out, const Linear& op) {
  if (out.input().layout == Layout::flat)
    return out.give("Gemm", weighted(out, op.bias), {integer_attribute("transB", 1)});
  const std::string matrix = out.shares_weight()
                                 ? out.step("Transpose", {out.tensor("weight")})
                                 : out.tensor("weight", transposed(out.weight("weight")));
  if (!op.bias) return out.give("MatMul", {out.value(), matrix});
  out.give("Add", {out.step("MatMul", {out.value(), matrix}), out.tensor("bias")});
}

void write(Exporter& out, const Embedding&) {
  out.give("Gather", {out.tensor("weight"), out.value()});
}

// The token once for each sample.
void write(Exporter& out, const ClassToken&) {
  const std::int64_t channels = out.output().channels;
  const std::string batch = out.step("Shape", {out.value()},
                                     {integer_attribute("start", 0), integer_attribute("end", 1)});
  const std::string sizes =
      out.step("Concat", {batch, out.integers({1, channels})}, {integer_attribute("axis", 0)});
  const std::string token = out.step("Expand", {out.tensor("token", {1, 1, channels}), sizes});
  out.give("Concat", {token, out.value()}, {integer_attribute("axis", 1)});
}

// Of a longer table the first rows are looked up, as networks do it.
void write(Exporter& out, const PositionEmbedding& op) {
  Dims sizes = out.output().axes();
  sizes.insert(sizes.begin(), 1);
  if (op.rows == 0) return out.give("Add", {out.value(), out.tensor("position", sizes)});
  Dims first(static_cast<std::size_t>(out.output().extent[0]));
  std::iota(first.begin(), first.end(), 0);
  out.give("Add", {out.value(), out.step("Gather", {out.tensor("position"), out.integers(first)})});
}

// What is not learned is a constant, so that it is not taken for a weight.
void write(Exporter& out, const Parameter& op) {
  Dims sizes = out.output().axes();
  sizes.insert(sizes.begin(), 1);
  if (op.rows > 0) {
    const std::vector<float>& index = out.weight("index").values;
    const std::string rows =
        out.step("Gather", {out.tensor("value"), out.integers(Dims(index.begin(), index.end()))});
    return out.give("Unsqueeze", {rows, out.integers({0})});
  }
  if (op.learned) return out.give("Identity", {out.tensor("value", sizes)});
  out.give("Constant", {}, {tensor_attribute("value", {sizes, out.weight("value").values})});
}

void write(Exporter& out, const Scale& op) {
  const Dims sizes = channel_sizes(out.output());
  const std::string factor = out.tensor("weight", sizes);
  if (!op.bias) return out.give("Mul", {out.value(), factor});
  out.give("Add", {out.step("Mul", {out.value(), factor}), out.tensor("bias", sizes)});
}

void write(Exporter& out, const PRelu& op) {
  const Dims sizes = op.shared ? Dims{1} : channel_sizes(out.output());
  out.give("PRelu", {out.value(), out.tensor("weight", sizes)});
}

}  // namespace ampere::onnx
