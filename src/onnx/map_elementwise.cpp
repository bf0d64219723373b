#include <cfloat>
#include <cmath>
#include <unordered_map>

#include "onnx/handlers.h"

namespace ampere::onnx {
namespace {

Activation hard_sigmoid_of(const Node& node) {
  const double alpha = real(node, "alpha", 0.2), beta = real(node, "beta", 0.5);
  const bool usual = std::abs(alpha - 1.0 / 6) < 1e-6 && beta == 0.5;
  return usual ? Activation{Function::hard_sigmoid} : Activation{Function::affine, {alpha, beta}};
}

const std::unordered_map<std::string_view, Activation>& functions() {
  static const std::unordered_map<std::string_view, Activation> table = {
      {"Relu", {Function::relu}},
      {"Sigmoid", {Function::sigmoid}},
      {"Tanh", {Function::tanh}},
      {"HardSwish", {Function::hard_swish}},
      {"Selu", {Function::selu}},
      {"Softplus", {Function::softplus}},
      {"Softsign", {Function::softsign}},
      {"Mish", {Function::mish}},
      {"Exp", {Function::exp}},
      {"Log", {Function::log}},
      {"Abs", {Function::abs}},
      {"Erf", {Function::erf}},
      {"Sqrt", {Function::power, {0.5}}},
      {"Reciprocal", {Function::power, {-1}}},
      {"Neg", {Function::affine, {-1, 0}}},
  };
  return table;
}

Activation activation_of(const Node& node) {
  if (const auto found = functions().find(node.op); found != functions().end())
    return found->second;
  if (node.op == "LeakyRelu") return {Function::leaky_relu, {real(node, "alpha", 0.01)}};
  if (node.op == "Elu") return {Function::elu, {real(node, "alpha", 1.0)}};
  if (node.op == "Gelu")
    return {text(node, "approximate", "none") == "tanh" ? Function::gelu_tanh : Function::gelu};
  if (node.op == "Swish" && real(node, "alpha", 1.0) == 1.0) return {Function::silu};
  if (node.op == "HardSigmoid") return hard_sigmoid_of(node);
  throw Unsupported{"no activation of this kind is known"};
}

// A function of each number commutes with every rearrangement, so it is applied to the layer as it
// is; but after a flatten it stays after it, as networks are written.
Value flattened(Importer& importer, const Node& node, const Value& value) {
  const std::vector<Axis>& axes = value.view.axes;
  const bool is_flat =
      axes.size() == 2 && is_batch(axes[0]) && importer.shape(value).layout != Layout::tokens;
  return is_flat ? importer.settled(node, value) : value;
}

Value activated(Importer& importer, const Node& node, const Value& given, Activation activation) {
  const Value value = flattened(importer, node, given);
  return {importer.emit(node, std::move(activation), {value.layer}), value.view};
}

double bound(Importer& importer, const Node& node, std::size_t input, const char* name,
             double otherwise) {
  if (importer.has(node, input)) return decimal(importer.constant(node, input).scalar());
  return real(node, name, otherwise);
}

}  // namespace

void import_unary(Importer& importer, const Node& node) {
  const Activation activation = activation_of(node);
  Value value = activated(importer, node, importer.value(node, 0), activation);
  if (node.op == "HardSigmoid" && activation.function == Function::affine)
    value = activated(importer, node, value, {Function::clip, {0, 1}});
  importer.set(node, 0, value);
}

void import_clip(Importer& importer, const Node& node) {
  const double low = bound(importer, node, 1, "min", -FLT_MAX);
  const double high = bound(importer, node, 2, "max", FLT_MAX);
  Activation clip{Function::clip,
                  {std::max<double>(low, -FLT_MAX), std::min<double>(high, FLT_MAX)}};
  if (low == 0 && high == 6) clip = {Function::relu6};
  if (low == 0 && high >= FLT_MAX) clip = {Function::relu};
  importer.set(node, 0, activated(importer, node, operand_of(importer, node, 0), clip));
}

void import_prelu(Importer& importer, const Node& node) {
  const Constant& slope = importer.constant(node, 1);
  Value value = importer.value(node, 0);
  const Dims& dims = slope.dims();
  const bool shared = slope.elements() == 1;
  if (!shared) {
    const std::size_t rank = value.view.axes.size();
    const std::size_t missing = rank - std::min(rank, dims.size());
    bool fits = dims.size() <= rank;
    for (std::size_t i = 0; fits && i < dims.size(); ++i)
      fits = dims[i] == 1 || is_channels(importer, value, missing + i);
    if (!fits) throw Unsupported{"a slope that is neither one nor one a channel"};
  }
  importer.set(node, 0,
               Value{importer.emit(node, PRelu{shared}, {value.layer},
                                   {{"weight", reshaped(slope, {slope.elements()})}}),
                     value.view});
}

void import_dropout(Importer& importer, const Node& node) {
  const Value value = flattened(importer, node, importer.value(node, 0));
  const double ratio = importer.has(node, 1) ? decimal(importer.constant(node, 1).scalar())
                                             : real(node, "ratio", 0.5);
  if (ratio == 0) return importer.set(node, 0, value);
  importer.set(node, 0, Value{importer.emit(node, Dropout{ratio}, {value.layer}), value.view});
}

void import_comparison(Importer& importer, const Node& node) {
  importer.set(node, 0, Condition{importer.value(node, 0)});
}

// Token ids are compared with that of padding, to leave it out of positions and masks. What is
// padded is computed all the same.
void import_equal(Importer& importer, const Node& node) {
  const std::size_t ids = importer.is_constant(node, 0) ? 1 : 0;
  const bool compares_ids = importer.shape(importer.value(node, ids)).layout == Layout::tokens;
  if (!compares_ids || !importer.is_constant(node, 1 - ids))
    throw Unsupported{"compares numbers that depend on the data"};
  importer.set(node, 0,
               Constant::made(importer.dims(node, ids), ElementType::boolean,
                              {filled(importer.dims(node, ids), 0)},
                              [](const auto& from) { return from[0].numbers(); }));
  importer.note("no token is taken to be padding");
}

// Exporters guard two functions: softplus(x) is x where x is large, and a softmax over nothing but
// masked scores is 0 instead of NaN.
void import_where(Importer& importer, const Node& node) {
  const Condition* condition = importer.condition(node, 0);
  if (!condition) throw Unsupported{"chooses between tensors by a mask"};
  const Value test = condition->of;
  const auto is_softplus_of = [&](const Value& value) {
    const auto* activation = layer_as<Activation>(importer.draft(), value.layer);
    return activation && activation->function == Function::softplus &&
           importer.draft()[value.layer].inputs[0] == test.layer && value.view == test.view;
  };
  if (!importer.is_constant(node, 2)) {
    const Value otherwise = importer.value(node, 2);
    if (importer.is_constant(node, 1) && otherwise.layer == test.layer)
      return importer.set(node, 0, otherwise);
    if (is_softplus_of(otherwise)) return importer.set(node, 0, otherwise);
  }
  throw Unsupported{"chooses between tensors by computed conditions"};
}

Value multiplied(Importer& importer, const Node& node, const Value& value, double factor) {
  return activated(importer, node, value, {Function::affine, {factor, 0}});
}

bool is_channels(const Importer& importer, const Value& value, std::size_t axis) {
  const TensorShape& shape = importer.shape(value);
  const int channels = channel_axis(shape.layout);
  if (channels < 0) return false;
  return value.view.axes[axis] == Axis{{channels, 1, shape.channels}};
}

}  // namespace ampere::onnx
