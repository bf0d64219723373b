#include <cmath>
#include <numbers>

#include "onnx/writers.h"

namespace ampere::onnx {
namespace {

using Names = Exporter::Names;

// What the layer reads, in as many axes as the result has.
std::string operand(Exporter& out, std::size_t which) {
  const Dims sizes = spread_sizes(out.input(which), out.output());
  const bool fits = sizes == out.input(which).axes();
  return fits ? out.value(which) : out.reshaped(out.value(which), sizes);
}

void write_folded(Exporter& out, const char* op) {
  std::string sum = operand(out, 0);
  const std::size_t count = out.layer().inputs.size();
  for (std::size_t i = 1; i + 1 < count; ++i) sum = out.step(op, {sum, operand(out, i)});
  out.give(op, {sum, operand(out, count - 1)});
}

std::string sum(Exporter& out, const std::string& x, double number) {
  return out.step("Add", {x, out.number(number)});
}
std::string product(Exporter& out, const std::string& x, double number) {
  return out.step("Mul", {x, out.number(number)});
}

// x·(1 + bent)/2, where `bent` comes close to the error function.
void write_gelu(Exporter& out, const std::string& bent) {
  const std::string weighted = out.step("Mul", {out.value(), sum(out, bent, 1)});
  out.give("Mul", {weighted, out.number(0.5)});
}

void write_gelu_tanh(Exporter& out) {
  const std::string& x = out.value();
  const std::string cube = out.step("Mul", {out.step("Mul", {x, x}), x});
  const std::string inner = out.step("Add", {x, product(out, cube, 0.044715)});
  write_gelu(out, out.step("Tanh", {product(out, inner, std::sqrt(2 / std::numbers::pi))}));
}

void write_affine(Exporter& out, double factor, double offset) {
  if (offset == 0) return out.give("Mul", {out.value(), out.number(factor)});
  const std::string scaled = factor == 1 ? out.value() : product(out, out.value(), factor);
  out.give("Add", {scaled, out.number(offset)});
}

void write_clip(Exporter& out, double low, double high) {
  out.give("Clip", {out.value(), out.number(low), out.number(high)});
}

// The operator of the format, where the function is one.
const char* plain_name(Function function) {
  switch (function) {
    case Function::relu:
      return "Relu";
    case Function::hard_swish:
      return "HardSwish";
    case Function::sigmoid:
      return "Sigmoid";
    case Function::tanh:
      return "Tanh";
    case Function::selu:
      return "Selu";
    case Function::softplus:
      return "Softplus";
    case Function::softsign:
      return "Softsign";
    case Function::exp:
      return "Exp";
    case Function::log:
      return "Log";
    case Function::abs:
      return "Abs";
    case Function::erf:
      return "Erf";
    default:
      return nullptr;
  }
}

}  // namespace

void write(Exporter& out, const Activation& op) {
  const std::vector<double>& p = op.parameters;
  const Names x{out.value()};
  if (const char* name = plain_name(op.function)) return out.give(name, x);
  switch (op.function) {
    case Function::relu6:
      return write_clip(out, 0, 6);
    case Function::gelu:
      return write_gelu(out, out.step("Erf", {product(out, x[0], 1 / std::numbers::sqrt2)}));
    case Function::gelu_tanh:
      return write_gelu_tanh(out);
    case Function::silu:
      return out.give("Mul", {x[0], out.step("Sigmoid", x)});
    case Function::hard_sigmoid:
      return out.give("HardSigmoid", x,
                      {real_attribute("alpha", 1.0 / 6), real_attribute("beta", 0.5)});
    case Function::mish:
      return out.give("Mul", {x[0], out.step("Tanh", {out.step("Softplus", x)})});
    case Function::leaky_relu:
      return out.give("LeakyRelu", x, {real_attribute("alpha", p[0])});
    case Function::elu:
      return out.give("Elu", x, {real_attribute("alpha", p[0])});
    case Function::clip:
      return write_clip(out, p[0], p[1]);
    case Function::affine:
      return write_affine(out, p[0], p[1]);
    case Function::power:
      return out.give("Pow", {x[0], out.number(p[0])});
    default:
      out.refuse("a function without a word in the format");
  }
}

// Dropping from a one per sample drops samples, and does nothing in inference.
void write(Exporter& out, const Dropout& op) {
  if (op.samples) {
    const std::string batch = out.step(
        "Shape", {out.value()}, {integer_attribute("start", 0), integer_attribute("end", 1)});
    const std::string sizes =
        out.step("Concat", {batch, out.integers(Dims(out.output().axes().size(), 1))},
                 {integer_attribute("axis", 0)});
    const std::string ones = out.step("Expand", {out.number(1), sizes});
    return out.give("Mul", {out.value(), out.step("Dropout", {ones, out.number(op.probability)})});
  }
  out.give("Dropout", {out.value(), out.number(op.probability)});
}

void write(Exporter& out, const Add&) { write_folded(out, "Add"); }
void write(Exporter& out, const Multiply&) { write_folded(out, "Mul"); }
void write(Exporter& out, const Subtract&) { write_folded(out, "Sub"); }
void write(Exporter& out, const Divide&) { write_folded(out, "Div"); }

void write(Exporter& out, const MatMul&) { out.give("MatMul", {operand(out, 0), operand(out, 1)}); }

}  // namespace ampere::onnx
