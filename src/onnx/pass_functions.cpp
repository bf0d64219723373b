// An activation written out is a small expression of one tensor. Whatever form it is written in, it
// is told by its values: it is evaluated at a few points and compared with the functions known.
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>

#include "onnx/passes.h"

namespace ampere::onnx {
namespace {

constexpr std::size_t kLargestExpression = 10;  // layers of an expression
constexpr std::array kPoints = {-5.0, -3.5, -2.0, -1.0, -0.4, 0.0, 0.3, 1.0, 2.0, 2.9, 4.0, 7.0};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double softplus(double x) { return x > 30 ? x : std::log1p(std::exp(x)); }
double gelu(double x) { return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2)); }
double gelu_tanh(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}
double hard_sigmoid(double x) { return std::clamp(x + 3, 0.0, 6.0) / 6; }

struct Known {
  Function function;
  double (*value)(double);
};

const std::vector<Known>& known_functions() {
  static const std::vector<Known> table = {
      {Function::gelu, gelu},
      {Function::gelu_tanh, gelu_tanh},
      {Function::silu, [](double x) { return x * sigmoid(x); }},
      {Function::mish, [](double x) { return x * std::tanh(softplus(x)); }},
      {Function::hard_swish, [](double x) { return x * hard_sigmoid(x); }},
      {Function::hard_sigmoid, hard_sigmoid},
  };
  return table;
}

std::optional<double> value_of(const Activation& activation, double x) {
  const std::vector<double>& p = activation.parameters;
  switch (activation.function) {
    case Function::relu:
      return std::max(x, 0.0);
    case Function::relu6:
      return std::clamp(x, 0.0, 6.0);
    case Function::sigmoid:
      return sigmoid(x);
    case Function::hard_sigmoid:
      return hard_sigmoid(x);
    case Function::tanh:
      return std::tanh(x);
    case Function::erf:
      return std::erf(x);
    case Function::exp:
      return std::exp(x);
    case Function::softplus:
      return softplus(x);
    case Function::affine:
      return p.empty() ? x : p[0] * x + p[1];
    case Function::power:
      return std::pow(x, p.empty() ? 2 : p[0]);
    case Function::clip:
      return p.empty() ? x : std::clamp(x, p[0], p[1]);
    default:
      return std::nullopt;
  }
}

bool is_elementwise(const Draft& draft, int layer) {
  return layer_as<Activation>(draft, layer) ||
         (draft[layer].inputs.size() == 2 &&
          (layer_as<Multiply>(draft, layer) || layer_as<Add>(draft, layer) ||
           layer_as<Divide>(draft, layer) || layer_as<Subtract>(draft, layer)));
}

// What is computed between `from` and `to`, and nothing else.
class Expression {
 public:
  Expression(const Draft& draft, const std::vector<int>& read, int from, int to)
      : draft_(draft), from_(from), valid_(true) {
    collect(to);
    std::map<int, int> inside;
    for (const int layer : layers_)
      for (const int input : draft[layer].inputs) ++inside[input];
    for (const int layer : layers_)
      valid_ = valid_ && (layer == to || inside[layer] == read[layer]);
    valid_ = valid_ && inside.contains(from);
  }

  bool valid() const { return valid_ && layers_.size() > 1; }
  const std::set<int>& layers() const { return layers_; }

  std::optional<double> at(double x) const {
    std::map<int, double> values{{from_, x}};
    for (const int layer : layers_) {  // ascending: each after what it reads
      const std::optional<double> value = step(layer, values);
      if (!value || !std::isfinite(*value)) return std::nullopt;
      values[layer] = *value;
    }
    return values.rbegin()->second;
  }

 private:
  void collect(int layer) {
    if (layer == from_ || layers_.contains(layer)) return;
    if (layers_.size() >= kLargestExpression || layer < from_ || !is_elementwise(draft_, layer) ||
        draft_[layer].shape != draft_[from_].shape) {
      valid_ = false;
      return;
    }
    layers_.insert(layer);
    for (const int input : draft_[layer].inputs)
      if (valid_) collect(input);
  }

  std::optional<double> step(int layer, const std::map<int, double>& values) const {
    const std::vector<int>& inputs = draft_[layer].inputs;
    const double a = values.at(inputs[0]);
    if (const auto* activation = layer_as<Activation>(draft_, layer))
      return value_of(*activation, a);
    const double b = values.at(inputs[1]);
    if (layer_as<Multiply>(draft_, layer)) return a * b;
    if (layer_as<Add>(draft_, layer)) return a + b;
    if (layer_as<Subtract>(draft_, layer)) return a - b;
    return a / b;
  }

  const Draft& draft_;
  int from_;
  bool valid_;
  std::set<int> layers_;
};

std::optional<Function> recognised(const Expression& expression) {
  std::vector<Known> left = known_functions();
  for (const double point : kPoints) {
    const std::optional<double> value = expression.at(point);
    if (!value) return std::nullopt;
    std::erase_if(left, [&](const Known& known) {
      return std::abs(*value - known.value(point)) > 2e-6 * (1 + std::abs(*value));
    });
    if (left.empty()) return std::nullopt;
  }
  return left.front().function;
}

// Only these can be the last step of a function written out.
bool may_end(const Draft& draft, int layer) {
  if (const auto* activation = layer_as<Activation>(draft, layer))
    return activation->function == Function::affine || activation->function == Function::clip;
  return layer_as<Multiply>(draft, layer) || layer_as<Divide>(draft, layer);
}

// All of them are products with the tensor itself, or limited.
bool may_contain(const Draft& draft, const std::vector<int>& layers, int last) {
  const auto telling = [&](int layer) {
    const auto* activation = layer_as<Activation>(draft, layer);
    return layer_as<Multiply>(draft, layer) ||
           (activation &&
            (activation->function == Function::clip || activation->function == Function::relu6));
  };
  return telling(last) || std::ranges::any_of(layers, telling);
}

// Elementwise layers before this one, nearest first.
std::vector<int> candidates(const Draft& draft, int layer) {
  std::set<int> seen{layer};
  std::vector<int> open{layer};
  for (std::size_t i = 0; i < open.size() && seen.size() <= kLargestExpression; ++i) {
    if (!is_elementwise(draft, open[i])) continue;
    for (const int input : draft[open[i]].inputs)
      if (seen.insert(input).second) open.push_back(input);
  }
  open.erase(open.begin());
  return open;
}

}  // namespace

void join_functions(Draft& draft) {
  const std::vector<int> read = readers(draft);
  std::vector<bool> taken(draft.layers.size(), false);
  for (int i = static_cast<int>(draft.layers.size()); i-- > 0;) {
    if (read[i] == 0 || taken[i] || !may_end(draft, i)) continue;
    const std::vector<int> before = candidates(draft, i);
    if (!may_contain(draft, before, i)) continue;
    for (const int from : before) {
      const Expression expression(draft, read, from, i);
      if (!expression.valid()) continue;
      const std::optional<Function> function = recognised(expression);
      if (!function) continue;
      for (const int layer : expression.layers()) taken[layer] = true;
      draft[i].op = Activation{*function};
      draft[i].inputs = {from};
      break;
    }
  }
}

}  // namespace ampere::onnx
