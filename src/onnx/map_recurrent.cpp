#include <fmt/format.h>

#include <algorithm>

#include "onnx/handlers.h"

namespace ampere::onnx {
namespace {

struct Gates {
  std::int64_t count;
  Dims order;  // which of the file's gates stands where PyTorch keeps it
};

// The format lists i o f c and z r h; PyTorch keeps i f c o and r z n.
Gates gates_of(std::string_view op) {
  return op == "LSTM" ? Gates{4, {0, 2, 3, 1}} : Gates{3, {1, 0, 2}};
}

Constant regated(const Constant& constant, const Gates& gates, std::int64_t hidden) {
  std::vector<Constant> parts;
  for (const std::int64_t gate : gates.order)
    parts.push_back(sliced(constant, 0, gate * hidden, hidden));
  return joined(parts, 0);
}

Constant of_direction(const Constant& constant, std::int64_t direction) {
  const Dims& dims = constant.dims();
  return reshaped(sliced(constant, 0, direction, 1), Dims(dims.begin() + 1, dims.end()));
}

void check_dims(const Constant& constant, const Dims& expected, const char* what) {
  if (constant.dims() != expected) throw Unsupported{fmt::format("its {} does not fit", what)};
}

// A state that is not zero would have to be learned or fed.
void check_initial_state(Importer& importer, const Node& node, std::size_t input) {
  if (!importer.has(node, input)) return;
  if (!importer.is_constant(node, input)) throw Unsupported{"starts from a computed state"};
  const Constant& state = importer.constant(node, input);
  if (state.known() && !all_equal(state, 0))
    throw Unsupported{"starts from a state that is not zero"};
}

void check_supported(Importer& importer, const Node& node) {
  if (importer.has(node, 4)) {
    if (!importer.is_constant(node, 4)) throw Unsupported{"sequences of different lengths"};
    const Dims lengths = importer.constant(node, 4).integers();
    const Dims dims = importer.dims(node, 0);
    if (std::ranges::any_of(lengths, [&](std::int64_t each) { return each != dims[0]; }))
      throw Unsupported{"sequences of different lengths"};
  }
  for (std::size_t input = 5; input < node.inputs.size(); ++input) {
    if (input == 7 && importer.has(node, input))
      throw Unsupported{"gates that look at the cell (peepholes)"};
    check_initial_state(importer, node, input);
  }
  if (text(node, "direction", "forward") == "reverse") throw Unsupported{"runs backwards only"};
  if (find_attribute(node, "activations") || find_attribute(node, "clip"))
    throw Unsupported{"functions of its gates other than the usual ones"};
  if (integer(node, "input_forget", 0) != 0) throw Unsupported{"input and forget gate coupled"};
  if (node.op == "GRU" && integer(node, "linear_before_reset", 0) == 0)
    throw Unsupported{"resets the state before the product; PyTorch's GRU does it afterwards"};
}

std::map<std::string, Constant> recurrent_weights(Importer& importer, const Node& node,
                                                  std::int64_t input, std::int64_t hidden,
                                                  std::int64_t directions) {
  const Gates gates = gates_of(node.op);
  const std::int64_t rows = gates.count * hidden;
  const Constant &w = importer.constant(node, 1), &r = importer.constant(node, 2);
  check_dims(w, {directions, rows, input}, "input weight");
  check_dims(r, {directions, rows, hidden}, "recurrent weight");
  std::map<std::string, Constant> weights;
  for (std::int64_t d = 0; d < directions; ++d) {
    const std::string end = d == 0 ? "_l0" : "_l0_reverse";
    weights["weight_ih" + end] = regated(of_direction(w, d), gates, hidden);
    weights["weight_hh" + end] = regated(of_direction(r, d), gates, hidden);
    if (!importer.has(node, 3)) continue;
    const Constant& b = importer.constant(node, 3);
    check_dims(b, {directions, 2 * rows}, "bias");
    const Constant both = of_direction(b, d);
    weights["bias_ih" + end] = regated(sliced(both, 0, 0, rows), gates, hidden);
    weights["bias_hh" + end] = regated(sliced(both, 0, rows, rows), gates, hidden);
  }
  return weights;
}

// The state after the last step: of the second direction, after the first token.
Value last_state(Importer& importer, const Node& node, int layer, bool both) {
  const int length = static_cast<int>(importer.draft()[layer].shape.extent[0]);
  int state = -1;
  if (both) {
    const int forward = importer.emit(node, Chunk{2, 0}, {layer});
    const int backward = importer.emit(node, Chunk{2, 1}, {layer});
    state = importer.emit(node, Concat{},
                          {importer.emit(node, TokenSelect{length - 1}, {forward}),
                           importer.emit(node, TokenSelect{0}, {backward})});
  } else {
    state = importer.emit(node, TokenSelect{length - 1}, {layer});
  }
  Value value = importer.native(state);
  const std::int64_t hidden = importer.draft()[state].shape.channels / (both ? 2 : 1);
  const Axis units = hidden == 1 ? Axis{} : Axis{{0, 1, hidden}};
  const Axis sides = both ? Axis{{0, hidden, 2}} : Axis{};
  value.view.axes = {sides, value.view.axes[0], units};
  return value;
}

}  // namespace

void import_recurrent(Importer& importer, const Node& node) {
  check_supported(importer, node);
  Value value = importer.value(node, 0);
  if (value.view.axes.size() != 3) throw Unsupported{"reads a tensor that has not three axes"};
  const bool batch_first = integer(node, "layout", 0) != 0;
  if (!batch_first) value.view = permuted(value.view, {1, 0, 2});
  if (!is_batch(value.view.axes[0])) throw Unsupported{"the batch is not where it should be"};
  value = importer.settled(node, value, Layout::sequence);
  const std::int64_t hidden =
      integer(node, "hidden_size", importer.constant(node, 2).dims().back());
  if (hidden < 1 || hidden > 1 << 24) throw Unsupported{"the hidden size does not fit"};
  const bool both = text(node, "direction", "forward") == "bidirectional";
  const Recurrent recurrent{node.op == "LSTM" ? Cell::lstm : Cell::gru, hidden, both,
                            importer.has(node, 3)};
  const int layer = importer.emit(
      node, recurrent, {value.layer},
      recurrent_weights(importer, node, importer.shape(value).channels, hidden, both ? 2 : 1));
  const View native = importer.native(layer).view;
  const Axis units = hidden == 1 ? Axis{} : Axis{{1, 1, hidden}};
  const Axis sides = both ? Axis{{1, hidden, 2}} : Axis{};
  View all{{native.axes[1], sides, native.axes[0], units}};
  if (batch_first) all = permuted(all, {2, 0, 1, 3});
  importer.set(node, 0, Value{layer, all});
  if (node.outputs.size() < 2 || node.outputs[1].empty()) return;
  Value state = last_state(importer, node, layer, both);
  if (batch_first) state.view = permuted(state.view, {1, 0, 2});
  importer.set(node, 1, state);
}

}  // namespace ampere::onnx
