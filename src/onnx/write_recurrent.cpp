#include "onnx/writers.h"

namespace ampere::onnx {
namespace {

// The format lists i o f c and z r h; PyTorch keeps i f c o and r z n.
Dims gate_order(Cell cell) { return cell == Cell::lstm ? Dims{0, 3, 1, 2} : Dims{1, 0, 2}; }

// The numbers of a tensor of gates, one below the other, in the format's order.
void append_gates(std::vector<float>& all, const FloatTensor& tensor, const Dims& order) {
  const auto gate = static_cast<std::ptrdiff_t>(tensor.values.size() / order.size());
  for (const std::int64_t from : order)
    all.insert(all.end(), tensor.values.begin() + from * gate,
               tensor.values.begin() + (from + 1) * gate);
}

// The named tensors of all directions, one after the other.
FloatTensor of_directions(const Exporter& out, const Recurrent& op, const Exporter::Names& names) {
  FloatTensor all;
  std::int64_t directions = 0;
  for (const char* end : {"_l0", "_l0_reverse"}) {
    if (directions > 0 && !op.bidirectional) break;
    for (const std::string& name : names)
      append_gates(all.values, out.weight(name + end), gate_order(op.cell));
    ++directions;
  }
  all.sizes = out.weight(names[0] + "_l0").sizes;
  all.sizes[0] *= static_cast<std::int64_t>(names.size());
  all.sizes.insert(all.sizes.begin(), directions);
  return all;
}

}  // namespace

// Time first going in; time, direction, batch and units coming out.
void write(Exporter& out, const Recurrent& op) {
  const std::string x =
      out.step("Transpose", {out.value()}, {integers_attribute("perm", {1, 0, 2})});
  Exporter::Names inputs{x, out.tensor("weight_ih", of_directions(out, op, {"weight_ih"})),
                         out.tensor("weight_hh", of_directions(out, op, {"weight_hh"}))};
  if (op.bias) inputs.push_back(out.tensor("bias", of_directions(out, op, {"bias_ih", "bias_hh"})));
  Exporter::Attributes attributes{
      integer_attribute("hidden_size", op.hidden),
      text_attribute("direction", op.bidirectional ? "bidirectional" : "forward")};
  if (op.cell == Cell::gru) attributes.push_back(integer_attribute("linear_before_reset", 1));
  const std::string states = out.step(op.cell == Cell::lstm ? "LSTM" : "GRU", inputs, attributes);
  const std::string turned =
      out.step("Transpose", {states}, {integers_attribute("perm", {2, 0, 1, 3})});
  out.give("Reshape", {turned, out.integers(out.reshape_sizes(out.output().axes()))});
}

}  // namespace ampere::onnx
