// Sums and products: of two tensors that depend on the data, and of one with a constant, which is a
// bias, a scale, positions, or a parameter in its own right.
#include <fmt/format.h>

#include <algorithm>

#include "onnx/handlers.h"

namespace ampere::onnx {
namespace {

Op op_of(std::string_view name) {
  if (name == "Add") return Add{};
  if (name == "Mul") return Multiply{};
  if (name == "Sub") return Subtract{};
  if (name == "Div") return Divide{};
  throw Unsupported{"no operator on two tensors of this kind is known"};
}

Value affine(Importer& importer, const Node& node, const Value& value, double factor,
             double offset) {
  if (factor == 1 && offset == 0) return value;
  return {importer.emit(node, Activation{Function::affine, {factor, offset}}, {value.layer}),
          value.view};
}

Value power(Importer& importer, const Node& node, const Value& value, double exponent) {
  if (exponent == 1) return value;
  return {importer.emit(node, Activation{Function::power, {exponent}}, {value.layer}), value.view};
}

Value with_number(Importer& importer, const Node& node, const Value& value, double number,
                  bool value_first) {
  if (node.op == "Add") return affine(importer, node, value, 1, number);
  if (node.op == "Mul") return affine(importer, node, value, number, 0);
  if (node.op == "Sub")
    return affine(importer, node, value, value_first ? 1 : -1, value_first ? -number : number);
  if (node.op == "Div" && value_first) return affine(importer, node, value, 1 / number, 0);
  if (node.op == "Div") return affine(importer, node, power(importer, node, value, -1), number, 0);
  if (node.op == "Pow" && value_first) return power(importer, node, value, number);
  throw Unsupported{"a number to the power of a tensor"};
}

// The constant along the axes of the value, without the batch, of which it holds copies.
Constant aligned(Importer& importer, const Constant& constant, const Value& value) {
  Dims dims = constant.dims();
  const std::size_t rank = value.view.axes.size();
  if (dims.size() > rank) throw Unsupported{"a constant with more axes than the tensor"};
  dims.insert(dims.begin(), rank - dims.size(), 1);
  Constant result = reshaped(constant, dims);
  for (std::size_t i = 0; i < rank; ++i) {
    const Axis& axis = value.view.axes[i];
    const bool leads = !axis.empty() && axis[0].axis == kBatch;
    if (!leads || dims[i] == 1) continue;
    if (dims[i] != length_of(axis)) throw Unsupported{"a constant that does not fit the batch"};
    result = sliced(result, i, 0, dims[i] / importer.batch());
  }
  return result;
}

// Where the constant varies along one axis only, and that axis is the layer's channels.
bool is_per_channel(const Importer& importer, const Constant& constant, const Value& value) {
  bool found = false;
  for (std::size_t i = 0; i < constant.dims().size(); ++i) {
    if (constant.dims()[i] == 1) continue;
    if (found || !is_channels(importer, value, i)) return false;
    found = true;
  }
  return found;
}

Value with_channels(Importer& importer, const Node& node, const Value& value, Constant constant,
                    bool value_first) {
  constant = reshaped(constant, {constant.elements()});
  if (constant.learned && (node.op == "Mul" || (node.op == "Div" && value_first))) {
    if (node.op == "Div") constant = mapped(constant, [](double x) { return 1 / x; });
    return {importer.emit(node, Scale{}, {value.layer}, {{"weight", constant}}), value.view};
  }
  if (node.op == "Sub" && value_first) constant = mapped(constant, [](double x) { return -x; });
  const int other = importer.parameter(node, constant, flat(constant.elements()));
  const bool is_sum = node.op == "Add" || (node.op == "Sub" && value_first);
  std::vector<int> inputs = {value.layer, other};
  if (!value_first) std::ranges::reverse(inputs);
  return {importer.emit(node, is_sum ? Op(Add{}) : op_of(node.op), inputs), value.view};
}

bool is_positions(const Node& node, const Constant& constant, const TensorShape& shape) {
  return node.op == "Add" && shape.layout == Layout::sequence &&
         constant.dims() == Dims{1, shape.extent[0], shape.channels};
}

}  // namespace

Value with_constant(Importer& importer, const Node& node, Value value, const Constant& given,
                    bool value_first) {
  const Dims dims = dims_of(value.view);
  if (broadcast(dims, given.dims()) != dims)
    throw Unsupported{"a constant spreads the tensor over more numbers"};
  if (given.elements() == 1 && given.known())
    return with_number(importer, node, value, decimal(given.scalar()), value_first);
  if (node.op == "Add" && !given.learned && all_equal(given, 0)) return value;
  if (node.op == "Pow") throw Unsupported{"a power that is not one number"};
  const Constant constant = aligned(importer, given, value);
  if (is_per_channel(importer, constant, value))
    return with_channels(importer, node, value, constant, value_first);
  value = importer.settled(node, value);
  Dims sample = aligned(importer, given, value).dims();
  TensorShape shape = importer.shape(value);
  if (value.view.axes[0].size() < 2) sample.erase(sample.begin());  // the batch alone
  if (is_positions(node, aligned(importer, given, value), shape) && given.learned)
    return importer.native(importer.emit(node, PositionEmbedding{}, {value.layer},
                                         {{"position", reshaped(constant, sample)}}));
  if (sample.size() != shape.axes().size()) throw Unsupported{"a constant of another rank"};
  // A mask that hides nothing. A vector of zeros is a bias before its first step.
  if (node.op == "Add" && given.elements() != length_of(value.view.axes.back()) &&
      all_equal(given, 0))
    return value;
  const int other = importer.parameter(node, reshaped(constant, sample), tensor(sample));
  std::vector<int> inputs = {value.layer, other};
  if (!value_first) std::ranges::reverse(inputs);
  return {importer.emit(node, op_of(node.op), inputs), value.view};
}

namespace {

// Whether `other` lies in its layer as `whole` in its own, but for axes of length 1.
bool lies_alike(const Importer& importer, const Value& whole, const Value& other) {
  const TensorShape &shape = importer.shape(whole), &given = importer.shape(other);
  const bool spread = given.layout == Layout::flat && channel_axis(shape.layout) >= 0;
  if (given.layout != shape.layout && !spread) return false;
  for (std::size_t i = 0; i < whole.view.axes.size(); ++i) {
    Axis axis = other.view.axes[i];
    if (spread && shape.layout != Layout::flat)
      for (Atom& atom : axis)
        if (atom.axis == 0) atom.axis = channel_axis(shape.layout);
    if (!axis.empty() && axis != whole.view.axes[i]) return false;
  }
  return true;
}

// What is the same for all samples gets axes of length 1 in front until it has as many as the
// other.
void align_ranks(Value& a, Value& b) {
  for (auto [each, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (!has_batch(each->view))
      while (each->view.axes.size() < other->view.axes.size())
        each->view.axes.insert(each->view.axes.begin(), Axis{});
}

Value of_two(Importer& importer, const Node& node, Value a, Value b) {
  align_ranks(a, b);
  if (a.view.axes.size() != b.view.axes.size())
    throw Unsupported{"tensors of unequal rank, of which one has no batch axis"};
  const Dims dims = broadcast(dims_of(a.view), dims_of(b.view));
  const bool a_whole = dims_of(a.view) == dims, b_whole = dims_of(b.view) == dims;
  if (node.op == "Mul" && a.layer == b.layer && a.view == b.view)
    return power(importer, node, a, 2);
  if (a_whole && lies_alike(importer, a, b))
    return {importer.emit(node, op_of(node.op), {a.layer, b.layer}), a.view};
  if (b_whole && lies_alike(importer, b, a))
    return {importer.emit(node, op_of(node.op), {a.layer, b.layer}), b.view};
  const Value leader = a_whole ? a : b;
  const bool native = importer.native(leader.layer).view == leader.view;
  const Layout layout = native ? importer.shape(leader).layout
                               : importer.shape(importer.settled(node, leader)).layout;
  a = importer.settled(node, a, layout);
  b = importer.settled(node, b, layout);
  return importer.native_like(importer.emit(node, op_of(node.op), {a.layer, b.layer}), leader);
}

}  // namespace

void import_binary(Importer& importer, const Node& node) {
  if (node.inputs.size() < 2) {
    return importer.set(node, 0, importer.value(node, 0));  // Sum of one
  }
  if (importer.is_constant(node, 1))
    return importer.set(
        node, 0,
        with_constant(importer, node, importer.value(node, 0), importer.constant(node, 1), true));
  if (importer.is_constant(node, 0))
    return importer.set(
        node, 0,
        with_constant(importer, node, importer.value(node, 1), importer.constant(node, 0), false));
  importer.set(node, 0, of_two(importer, node, importer.value(node, 0), importer.value(node, 1)));
}

}  // namespace ampere::onnx
