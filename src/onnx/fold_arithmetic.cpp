#include "onnx/fold_arithmetic.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "onnx/fold.h"

namespace ampere::onnx {
namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

const std::unordered_map<std::string_view, Unary>& unary_functions() {
  static const std::unordered_map<std::string_view, Unary> table = {
      {"Neg", [](double x) { return -x; }},
      {"Abs", [](double x) { return std::abs(x); }},
      {"Sqrt", [](double x) { return std::sqrt(x); }},
      {"Exp", [](double x) { return std::exp(x); }},
      {"Log", [](double x) { return std::log(x); }},
      {"Reciprocal", [](double x) { return 1 / x; }},
      {"Floor", [](double x) { return std::floor(x); }},
      {"Ceil", [](double x) { return std::ceil(x); }},
      {"Round", [](double x) { return std::nearbyint(x); }},
      {"Not", [](double x) { return x == 0 ? 1.0 : 0.0; }},
      {"IsNaN", [](double x) { return std::isnan(x) ? 1.0 : 0.0; }},
      {"IsInf", [](double x) { return std::isinf(x) ? 1.0 : 0.0; }},
      {"Sign", [](double x) { return x > 0   ? 1.0
                                     : x < 0 ? -1.0
                                             : 0.0; }},
      {"Sin", [](double x) { return std::sin(x); }},
      {"Cos", [](double x) { return std::cos(x); }},
      {"Relu", [](double x) { return std::max(x, 0.0); }},
      {"Sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"Tanh", [](double x) { return std::tanh(x); }},
  };
  return table;
}

const std::unordered_map<std::string_view, Binary>& binary_functions() {
  static const std::unordered_map<std::string_view, Binary> table = {
      {"Add", [](double a, double b) { return a + b; }},
      {"Sub", [](double a, double b) { return a - b; }},
      {"Mul", [](double a, double b) { return a * b; }},
      {"Div", [](double a, double b) { return a / b; }},
      {"Pow", [](double a, double b) { return std::pow(a, b); }},
      {"Min", [](double a, double b) { return std::min(a, b); }},
      {"Max", [](double a, double b) { return std::max(a, b); }},
      {"Equal", [](double a, double b) { return a == b ? 1.0 : 0.0; }},
      {"Less", [](double a, double b) { return a < b ? 1.0 : 0.0; }},
      {"LessOrEqual", [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
      {"Greater", [](double a, double b) { return a > b ? 1.0 : 0.0; }},
      {"GreaterOrEqual", [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
      {"And", [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }},
      {"Or", [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }},
      {"Xor", [](double a, double b) { return (a != 0) != (b != 0) ? 1.0 : 0.0; }},
      {"Mod", [](double a, double b) { return b == 0 ? NAN : a - b * std::floor(a / b); }},
  };
  return table;
}

bool is_whole(ElementType type) { return !is_floating(type); }

Constant retyped(const Constant& constant, ElementType type) {
  const Unary cut = type == ElementType::boolean
                        ? Unary([](double x) { return x != 0 ? 1.0 : 0.0; })
                        : Unary([](double x) { return std::trunc(x); });
  Constant result = is_whole(type) && !is_whole(constant.type()) ? mapped(constant, cut) : constant;
  Constant typed = Constant::made(result.dims(), type, {result},
                                  [](const auto& from) { return from[0].numbers(); });
  typed.name = constant.name;
  typed.learned = constant.learned && is_floating(type);
  return typed;
}

void fold_binary(Importer& importer, const Node& node, Binary function) {
  Constant result = importer.constant(node, 0);
  for (std::size_t i = 1; i < node.inputs.size(); ++i) {
    const Constant& other = importer.constant(node, i);
    const bool whole_division =
        node.op == "Div" && is_whole(result.type()) && is_whole(other.type());
    result = combined(result, other, function);
    if (whole_division) result = mapped(result, [](double x) { return std::trunc(x); });
  }
  importer.set(node, 0, result);
}

void fold_where(Importer& importer, const Node& node) {
  const Constant &test = importer.constant(node, 0), &yes = importer.constant(node, 1),
                 &no = importer.constant(node, 2);
  const Dims dims = broadcast(broadcast(test.dims(), yes.dims()), no.dims());
  importer.set(node, 0,
               Constant::made(dims, yes.type(),
                              {expanded(test, dims), expanded(yes, dims), expanded(no, dims)},
                              [](const std::vector<Constant>& from) {
                                Constant::Numbers numbers = from[2].numbers();
                                const Constant::Numbers &chosen = from[0].numbers(),
                                                        &given = from[1].numbers();
                                for (std::size_t i = 0; i < numbers.size(); ++i)
                                  if (chosen[i] != 0) numbers[i] = given[i];
                                return numbers;
                              }));
}

// Keeps one triangle of the last two axes.
void fold_trilu(Importer& importer, const Node& node) {
  const Constant& data = importer.constant(node, 0);
  if (data.dims().size() < 2) throw Unsupported{"a triangle of a tensor without two axes"};
  const bool upper = integer(node, "upper", 1) != 0;
  const auto k =
      importer.has(node, 1) ? static_cast<std::int64_t>(importer.constant(node, 1).scalar()) : 0;
  const std::int64_t rows = data.dims().end()[-2], columns = data.dims().back();
  importer.set(
      node, 0,
      Constant::made(data.dims(), data.type(), {data}, [=](const std::vector<Constant>& from) {
        Constant::Numbers numbers = from[0].numbers();
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          const auto at = static_cast<std::int64_t>(i);
          const std::int64_t column = at % columns;
          const std::int64_t row = at / columns % rows;
          const bool kept = upper ? column >= row + k : column <= row + k;
          if (!kept) numbers[i] = 0;
        }
        return numbers;
      }));
}

}  // namespace

bool fold_arithmetic(Importer& importer, const Node& node) {
  if (const auto found = unary_functions().find(node.op); found != unary_functions().end()) {
    Constant result = mapped(importer.constant(node, 0), found->second);
    // Angles of positions; nothing learned goes through a sine on its way to a layer.
    if (node.op == "Sin" || node.op == "Cos") result.learned = false;
    importer.set(node, 0, result);
  } else if (const auto both = binary_functions().find(node.op); both != binary_functions().end()) {
    fold_binary(importer, node, both->second);
  } else if (node.op == "Cast") {
    importer.set(
        node, 0,
        retyped(importer.constant(node, 0), static_cast<ElementType>(integer(node, "to", 1))));
  } else if (node.op == "CastLike") {
    importer.set(node, 0, retyped(importer.constant(node, 0), importer.constant(node, 1).type()));
  } else if (node.op == "Where") {
    fold_where(importer, node);
  } else if (node.op == "Trilu") {
    fold_trilu(importer, node);
  } else {
    return false;
  }
  return true;
}

}  // namespace ampere::onnx
