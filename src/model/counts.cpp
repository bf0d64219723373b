// How work is counted, for a batch of N samples. Nothing here depends on a device.
//
// parameters      what is learned: weights, biases, scale and shift of norms (2C), the two bias
//                 vectors per gate of a recurrent layer as frameworks keep them, class tokens,
//                 position vectors. Running statistics are not learned.
// multiply-adds   of convolution, linear, recurrent and attention layers, products of queries, keys
//                 and values included: what papers call MACs (or, loosely, FLOPs).
// forward FLOPs   2 per multiply-add and 1 per other operation: bias add, activation (whatever the
//                 function), element of a pooling window, kept or dropped element, 8 per normalised
//                 element (mean 1, variance 3, normalising 2, scale and shift 2), 5 per attention
//                 score (scaling, maximum, exponential, sum, division), and the gates of recurrent
//                 cells. Moving numbers (flatten, concat, chunk, shuffle, embedding) is none.
// training FLOPs  forward; plus the gradient of the weights and of what lies inside the layer
//                 (hidden states, attention scores): 2 per multiply-add, 1 per bias add and per
//                 embedded element, 2 per element for scale and shift; plus the gradient of the
//                 inputs: 2 per multiply-add, and the other operations once more, unless only raw
//                 data are read, which need none; plus the optimizer's step (momentum): 4 per
//                 parameter, once per batch.
// activations     numbers written: the outputs of all layers but inputs and flatten, which is a
//                 view.
// bytes           4 for each number read or written in one forward pass: inputs, outputs, weights
//                 (of an embedding, the rows looked up).
#include "model/counts.h"

#include <algorithm>

#include "ampere/model.h"
#include "model/checked.h"

namespace ampere {
namespace {

constexpr std::int64_t kNormalise = 6, kScaleAndShift = 2, kSoftmax = 5, kMomentumStep = 4;
constexpr std::int64_t kBytesPerNumber = 4;

std::int64_t size_of(const std::vector<std::int64_t>& window) {
  std::int64_t size = 1;
  for (const std::int64_t length : window) size = product({size, length});
  return size;
}

std::int64_t gates(const Recurrent& op) { return op.cell == Cell::lstm ? 4 : 3; }

struct Operations {
  std::int64_t macs = 0;
  std::int64_t other = 0;
};

// Of one sample.
struct Work {
  Operations forward;
  Operations own;     // gradients of weights and inner states: always needed
  Operations inputs;  // gradients passed on to the layers read
};

Work weighted(std::int64_t macs, std::int64_t bias_adds) {
  return {{macs, bias_adds}, {macs, bias_adds}, {macs, 0}};
}

Work elementwise(std::int64_t operations) { return {{0, operations}, {}, {0, operations}}; }

std::int64_t flops(const Operations& work) { return sum({product({2, work.macs}), work.other}); }

struct Shapes {  // what an operator reads and writes
  std::span<const TensorShape> inputs;
  const TensorShape& output;
  const TensorShape& input() const { return inputs[0]; }
};

struct ParametersOf : Shapes {
  std::int64_t operator()(const Conv& op) const {
    const std::int64_t fan_in = op.depthwise ? 1 : input().channels / op.groups;
    return sum(
        {product({output.channels, fan_in, size_of(op.kernel)}), op.bias ? output.channels : 0});
  }
  std::int64_t operator()(const Linear& op) const {
    return sum({product({input().channels, op.out_features}), op.bias ? op.out_features : 0});
  }
  std::int64_t operator()(const Embedding& op) const { return product({input().channels, op.dim}); }
  std::int64_t operator()(const Recurrent& op) const {
    const std::int64_t h = op.hidden;
    return product({gates(op), h, sum({input().channels, h, 2})});
  }
  std::int64_t operator()(const SelfAttention&) const {
    const std::int64_t d = input().channels;
    return product({4, d, d + 1});
  }
  std::int64_t operator()(const BatchNorm&) const { return 2 * output.channels; }
  std::int64_t operator()(const LayerNorm&) const { return 2 * output.channels; }
  std::int64_t operator()(const ClassToken&) const { return output.channels; }
  std::int64_t operator()(const PositionEmbedding&) const { return output.elements(); }
  template <class Other>
  std::int64_t operator()(const Other&) const {
    return 0;
  }
};

struct WorkOf : Shapes {
  Work operator()(const Conv& op) const {
    const std::int64_t fan_in = op.depthwise ? 1 : input().channels / op.groups;
    return weighted(product({output.elements(), fan_in, size_of(op.kernel)}),
                    op.bias ? output.elements() : 0);
  }
  Work operator()(const Linear& op) const {
    return weighted(product({output.elements(), input().channels}),
                    op.bias ? output.elements() : 0);
  }
  Work operator()(const Embedding&) const { return {{}, {0, output.elements()}, {}}; }
  // Per step and hidden unit, two bias adds and one sum of both products for each gate; then, LSTM:
  // 5 functions and 4 products and sums of the cell; GRU: 3 functions and 5.
  Work operator()(const Recurrent& op) const {
    const std::int64_t units = output.elements();
    const std::int64_t biases = product({2, gates(op), units});
    const std::int64_t cell = product({units, gates(op) + (op.cell == Cell::lstm ? 9 : 8)});
    const std::int64_t from_input = product({units, gates(op), input().channels});
    const std::int64_t from_state = product({units, gates(op), op.hidden});
    const std::int64_t macs = sum({from_input, from_state});
    return {{macs, sum({biases, cell})},
            {sum({macs, from_state}), sum({biases, cell})},
            {from_input, 0}};
  }
  // Four projections, of which only those to queries, keys and values read the input; both operands
  // of the two products with T × T scores get a gradient.
  Work operator()(const SelfAttention& op) const {
    const std::int64_t t = input().extent[0], d = input().channels;
    const std::int64_t projection = product({t, d, d}), mixing = product({2, t, t, d});
    const std::int64_t scores = product({kSoftmax, op.heads, t, t}), biases = product({4, t, d});
    return {{sum({product({4, projection}), mixing}), sum({biases, scores})},
            {sum({product({5, projection}), product({2, mixing})}), sum({biases, scores})},
            {product({3, projection}), 0}};
  }
  Work operator()(const BatchNorm&) const { return normalised(); }
  Work operator()(const LayerNorm&) const { return normalised(); }
  Work operator()(const PositionEmbedding&) const {
    return {{0, output.elements()}, {0, output.elements()}, {}};
  }
  Work operator()(const Activation&) const { return elementwise(output.elements()); }
  Work operator()(const Dropout&) const { return elementwise(output.elements()); }
  Work operator()(const Pool& op) const {
    return elementwise(product({output.elements(), size_of(op.kernel)}));
  }
  Work operator()(const AdaptivePool&) const {
    return elementwise(std::max(input().elements(), output.elements()));
  }
  Work operator()(const TokenMean&) const { return elementwise(input().elements()); }
  Work operator()(const Add&) const { return combined(); }
  Work operator()(const Multiply&) const { return combined(); }
  template <class Other>
  Work operator()(const Other&) const {
    return {};
  }

 private:
  Work normalised() const {
    const std::int64_t n = output.elements();
    return {{0, (kNormalise + kScaleAndShift) * n}, {0, kScaleAndShift * n}, {0, kNormalise * n}};
  }
  Work combined() const {
    return elementwise(product({static_cast<std::int64_t>(inputs.size()) - 1, output.elements()}));
  }
};

std::vector<TensorShape> input_shapes(const Layer& layer, const Model& model) {
  std::vector<TensorShape> shapes;
  for (const int input : layer.inputs) shapes.push_back(model.layers().at(input).output);
  return shapes;
}

std::int64_t parameters_of(const Layer& layer, const Model& model) {
  return parameter_count(layer.op, input_shapes(layer, model), layer.output);
}

Work work_of(const Layer& layer, const Model& model) {
  const std::vector<TensorShape> inputs = input_shapes(layer, model);
  return std::visit(WorkOf{{inputs, layer.output}}, layer.op);
}

// Which of the first `layers` layers pass a gradient on to what they read from: everything that
// follows a boundary input or something learned.
std::vector<bool> gradients(const Model& model, std::size_t layers) {
  std::vector<bool> needs(layers);
  for (std::size_t i = 0; i < layers; ++i) {
    const Layer& layer = model.layers()[i];
    const Input* input = std::get_if<Input>(&layer.op);
    needs[i] = (input && input->boundary) || parameters_of(layer, model) > 0 ||
               std::ranges::any_of(layer.inputs, [&](int read) { return needs[read]; });
  }
  return needs;
}

Counts count_layer(const Layer& layer, const Model& model, const std::vector<bool>& needs_gradient,
                   std::int64_t batch) {
  const Work work = work_of(layer, model);
  const bool inputs_need =
      std::ranges::any_of(layer.inputs, [&](int read) -> bool { return needs_gradient[read]; });
  Counts counts;
  counts.parameters = parameters_of(layer, model);
  const std::int64_t forward = flops(work.forward);
  const std::int64_t backward = sum({flops(work.own), inputs_need ? flops(work.inputs) : 0});
  counts.forward_flops = product({batch, forward});
  counts.training_flops =
      sum({product({batch, sum({forward, backward})}), kMomentumStep * counts.parameters});
  const bool is_view =
      std::holds_alternative<Input>(layer.op) || std::holds_alternative<Flatten>(layer.op);
  if (is_view) return counts;
  counts.activations = product({batch, layer.output.elements()});
  std::int64_t read =
      std::holds_alternative<Embedding>(layer.op) ? counts.activations : counts.parameters;
  for (const int input : layer.inputs)
    read = sum({read, product({batch, model.layers().at(input).output.elements()})});
  counts.bytes = product({kBytesPerNumber, sum({read, counts.activations})});
  return counts;
}

void check_batch(std::int64_t batch) { check_range("the batch", batch, 1, kMaxChannels); }

}  // namespace

std::int64_t parameter_count(const Op& op, std::span<const TensorShape> inputs,
                             const TensorShape& output) {
  return std::visit(ParametersOf{{inputs, output}}, op);
}

Counts count(const Layer& layer, const Model& model, std::int64_t batch) {
  check_batch(batch);
  const auto latest = std::ranges::max_element(layer.inputs);
  const std::size_t before = latest == layer.inputs.end() ? 0 : *latest + 1;
  return count_layer(layer, model, gradients(model, before), batch);
}

Counts count(const Model& model, std::int64_t batch) {
  check_batch(batch);
  const std::vector<bool> needs = gradients(model, model.layers().size());
  Counts total;
  for (const Layer& layer : model.layers()) {
    const Counts counts = count_layer(layer, model, needs, batch);
    total.parameters = sum({total.parameters, counts.parameters});
    total.forward_flops = sum({total.forward_flops, counts.forward_flops});
    total.training_flops = sum({total.training_flops, counts.training_flops});
    total.activations = sum({total.activations, counts.activations});
    total.bytes = sum({total.bytes, counts.bytes});
  }
  return total;
}

std::int64_t multiply_adds(const Model& model) {
  std::int64_t total = 0;
  for (const Layer& layer : model.layers())
    total = sum({total, work_of(layer, model).forward.macs});
  return total;
}

}  // namespace ampere
