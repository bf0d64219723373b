#include "onnx/handlers.h"

namespace ampere::onnx {
namespace {

// Places have two or three coordinates, and no exporter says whether a table is learned. Nothing
// learned is that narrow.
constexpr std::int64_t kMostCoordinates = 3;

bool is_linear(const Node& node) { return node.op == "MatMul" || node.op == "Gemm"; }

}  // namespace

bool is_trained(const Importer& importer, const Node& node) {
  if (node.op == "Clip") return importer.constant(node, 0).learned;
  if (!is_linear(node)) return false;
  const Constant &table = importer.constant(node, 0), &weight = importer.constant(node, 1);
  if (!weight.learned || weight.dims().size() != 2 || table.dims().size() < 2) return false;
  return !table.learned || table.dims().back() <= kMostCoordinates;
}

Value operand_of(Importer& importer, const Node& node, std::size_t input) {
  if (!importer.is_constant(node, input)) return importer.value(node, input);
  Constant constant = importer.constant(node, input);
  if (is_linear(node)) constant.learned = false;  // the table that it reads
  const Dims& dims = constant.dims();
  View view;  // without a batch
  Dims sample = dims;
  if (sample.size() > 1 && sample[0] == 1) {
    sample.erase(sample.begin());
    view.axes.emplace_back();
  }
  for (std::size_t i = 0; i < sample.size(); ++i) {
    view.axes.emplace_back();
    if (sample[i] != 1) view.axes.back() = {{static_cast<int>(i), 1, sample[i]}};
  }
  if (sample.empty()) sample = {1};
  return {importer.parameter(node, constant, tensor(sample)), view};
}

}  // namespace ampere::onnx
