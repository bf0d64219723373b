#include "onnx/passes.h"

namespace ampere::onnx {
namespace {

// The first rows of a table, in their order. Indices that are not in the file are taken to be so
// when the table has a row for every position.
bool are_first_rows(const DraftLayer& layer, const Parameter& parameter) {
  const Constant& index = layer.weights.at("index");
  if (!index.known()) return parameter.rows >= parameter.shape.extent[0];
  const Constant::Numbers& numbers = index.numbers();
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != static_cast<double>(i)) return false;
  return true;
}

}  // namespace

void join_positions(Draft& draft) {
  const std::vector<int> read = readers(draft);
  for (int i = 0; i < static_cast<int>(draft.layers.size()); ++i) {
    if (!layer_as<Add>(draft, i) || draft[i].inputs.size() != 2) continue;
    for (const int which : {0, 1}) {
      const int table = draft[i].inputs[which], other = draft[i].inputs[1 - which];
      const auto* parameter = layer_as<Parameter>(draft, table);
      if (!parameter || parameter->rows == 0 || read[table] != 1 ||
          parameter->shape != draft[other].shape || !are_first_rows(draft[table], *parameter))
        continue;
      draft[i].op = PositionEmbedding{parameter->rows};
      draft[i].weights = {{"position", draft[table].weights.at("value")}};
      draft[i].inputs = {other};
      break;
    }
  }
}

}  // namespace ampere::onnx
