// Products of two tensors by the names of their axes, where they are matrix products.
#include <algorithm>
#include <string>

#include "onnx/handlers.h"

namespace ampere::onnx {
namespace {

struct Equation {
  std::string left, right, out;
};

bool names_each_axis_once(const std::string& labels) {
  for (const char label : labels)
    if (std::ranges::count(labels, label) != 1 ||
        !((label >= 'a' && label <= 'z') || (label >= 'A' && label <= 'Z')))
      return false;
  return true;
}

Equation equation_of(const Node& node) {
  std::string all(text(node, "equation", ""));
  std::erase(all, ' ');
  const std::size_t comma = all.find(','), arrow = all.find("->");
  if (comma == std::string::npos || arrow == std::string::npos || arrow < comma)
    throw Unsupported{"is no product of two tensors"};
  Equation result{all.substr(0, comma), all.substr(comma + 1, arrow - comma - 1),
                  all.substr(arrow + 2)};
  for (const std::string& labels : {result.left, result.right, result.out})
    if (!names_each_axis_once(labels)) throw Unsupported{"is no product of two tensors"};
  return result;
}

bool has(const std::string& labels, char label) { return labels.find(label) != std::string::npos; }

// The value with its axes in the order of these labels.
Value ordered(const Value& value, const std::string& own, const std::string& labels) {
  if (value.view.axes.size() != own.size() || labels.size() != own.size())
    throw Unsupported{"the axes do not fit"};
  Dims order;
  for (const char label : labels) {
    const std::size_t at = own.find(label);
    if (at == std::string::npos) throw Unsupported{"names an axis that is not there"};
    order.push_back(static_cast<std::int64_t>(at));
  }
  return {value.layer, permuted(value.view, order)};
}

}  // namespace

// Axes of both that stay are counted through, one of both that goes is summed over, and of each
// operand one stays: rows and columns.
void import_einsum(Importer& importer, const Node& node) {
  if (node.inputs.size() != 2) throw Unsupported{"is no product of two tensors"};
  const Equation equation = equation_of(node);
  std::string both, summed, rows, columns;
  for (const char label : equation.left)
    (has(equation.right, label) ? (has(equation.out, label) ? both : summed) : rows) += label;
  for (const char label : equation.right)
    if (!has(equation.left, label)) columns += label;
  if (both.empty() || summed.size() != 1 || rows.size() != 1 || columns.size() != 1 ||
      equation.out.size() != both.size() + 2)
    throw Unsupported{"is no matrix product"};
  const Value left = ordered(importer.value(node, 0), equation.left, both + rows + summed);
  const Value right = ordered(importer.value(node, 1), equation.right, both + summed + columns);
  const Value product = product_of(importer, node, left, right);
  importer.set(node, 0, ordered(product, both + rows + columns, equation.out));
}

}  // namespace ampere::onnx
