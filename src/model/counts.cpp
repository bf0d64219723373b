// How work is counted, for a batch of N samples. Nothing here depends on a device. What is the same
// for all samples, because it is made of parameters alone, counts once per batch.
//
// parameters      what is learned: weights, biases, scale and shift of norms (2C), the two bias
//                 vectors per gate of a recurrent layer as frameworks keep them, class tokens,
//                 position vectors. Running statistics and constants are not learned. A weight that
//                 layers share counts once, for the first of them.
// multiply-adds   of convolution, linear, recurrent and attention layers, products of queries, keys
//                 and values and other matrix products included: what papers call MACs (or,
//                 loosely, FLOPs).
// forward FLOPs   2 per multiply-add and 1 per other operation: bias add, activation (whatever the
//                 function), element of a pooling window, kept or dropped element, 8 per normalised
//                 element (mean 1, variance 3, normalising 2, scale and shift 2), 5 per attention
//                 score (scaling, maximum, exponential, sum, division), 4 per element of another
//                 softmax, one per neighbour of an interpolated element, and the gates of recurrent
//                 cells. Moving numbers (flatten, concat, slice, pad, shuffle, embedding …) is
//                 none.
// training FLOPs  forward; plus the gradient of the weights and of what lies inside the layer
//                 (hidden states, attention scores): 2 per multiply-add, 1 per bias add and per
//                 embedded element, 1 per element for a scale and 1 for a shift; plus the gradient
//                 of the inputs: 2 per multiply-add, 1 per gathered element, and the other
//                 operations once more, unless only raw data are read, which need none; plus the
//                 optimizer's step (momentum): 4 per parameter, once per batch.
// activations     numbers written: the outputs of all layers but inputs, parameters and views
//                 (flatten, reshape, permute, expand).
// bytes           4 for each number read or written in one forward pass: inputs, outputs, weights
//                 (of an embedding, the rows looked up).
#include <algorithm>
#include <span>

#include "ampere/model.h"
#include "model/axes.h"
#include "model/checked.h"
#include "model/layer_weights.h"

namespace ampere {
namespace {

constexpr std::int64_t kNormalise = 6, kScaleAndShift = 2, kSoftmax = 5, kMomentumStep = 4;
constexpr std::int64_t kBytesPerNumber = 4;

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

struct OperatorShapes {  // what an operator reads and writes
  std::span<const TensorShape> inputs;
  const TensorShape& output;
  const TensorShape& input() const { return inputs[0]; }
};

struct WorkOf : OperatorShapes {
  Work operator()(const Conv& op) const {
    const std::int64_t fan_in = op.depthwise ? 1 : input().channels / op.groups;
    return weighted(product({output.elements(), fan_in, size_of(op.kernel)}),
                    op.bias ? output.elements() : 0);
  }
  Work operator()(const ConvTranspose& op) const {
    const std::int64_t fan_out = op.out_channels / op.groups;
    return weighted(product({input().elements(), fan_out, size_of(op.kernel)}),
                    op.bias ? output.elements() : 0);
  }
  Work operator()(const Linear& op) const {
    return weighted(product({output.elements(), features(input())}),
                    op.bias ? output.elements() : 0);
  }
  Work operator()(const Embedding&) const { return {{}, {0, output.elements()}, {}}; }
  Work operator()(const Gather&) const { return {{}, {}, {0, output.elements()}}; }
  // Per step and hidden unit, two bias adds and one sum of both products for each gate; then, LSTM:
  // 5 functions and 4 products and sums of the cell; GRU: 3 functions and 5.
  Work operator()(const Recurrent& op) const {
    const std::int64_t units = output.elements();
    const std::int64_t biases = op.bias ? product({2, gates(op), units}) : 0;
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
    const std::int64_t scores = product({kSoftmax, op.heads, t, t}),
                       biases = op.bias ? product({4, t, d}) : 0;
    return {{sum({product({4, projection}), mixing}), sum({biases, scores})},
            {sum({product({5, projection}), product({2, mixing})}), sum({biases, scores})},
            {product({3, projection}), 0}};
  }
  Work operator()(const BatchNorm&) const { return normalised(true); }
  Work operator()(const LayerNorm& op) const { return normalised(op.affine); }
  Work operator()(const GroupNorm& op) const { return normalised(op.affine); }
  Work operator()(const InstanceNorm& op) const { return normalised(op.affine); }
  Work operator()(const Scale& op) const {
    const std::int64_t n = output.elements(), both = op.bias ? 2 * n : n;
    return {{0, both}, {0, both}, {0, n}};
  }
  Work operator()(const PRelu&) const {
    const std::int64_t n = output.elements();
    return {{0, n}, {0, n}, {0, n}};
  }
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
  Work operator()(const Upsample& op) const {
    if (op.interpolation == Interpolation::nearest) return {};
    const std::int64_t neighbours = op.extent.size() == 1 ? 2 : 4;
    return elementwise(product({neighbours, output.elements()}));
  }
  Work operator()(const TokenMean&) const { return elementwise(input().elements()); }
  Work operator()(const Reduce&) const { return elementwise(input().elements()); }
  Work operator()(const Softmax&) const {
    return elementwise(product({kSoftmax - 1, output.elements()}));
  }
  Work operator()(const Add&) const { return combined(); }
  Work operator()(const Multiply&) const { return combined(); }
  Work operator()(const Subtract&) const { return combined(); }
  Work operator()(const Divide&) const { return combined(); }
  Work operator()(const MatMul&) const {
    const std::int64_t macs = product({output.elements(), input().axes().back()});
    return {{macs, 0}, {}, {product({2, macs}), 0}};
  }
  template <class Other>
  Work operator()(const Other&) const {
    return {};
  }

 private:
  Work normalised(bool affine) const {
    const std::int64_t n = output.elements(), learned = affine ? kScaleAndShift * n : 0;
    return {{0, kNormalise * n + learned}, {0, learned}, {0, kNormalise * n}};
  }
  Work combined() const {
    return elementwise(product({static_cast<std::int64_t>(inputs.size()) - 1, output.elements()}));
  }
};

std::int64_t parameters_of(const Layer& layer, const Model& model) {
  std::int64_t total = 0;
  for (const WeightShape& tensor : weight_shapes(layer, model))
    if (tensor.learned) total = sum({total, size_of(tensor.sizes)});
  return total;
}

Work work_of(const Layer& layer, const Model& model) {
  const std::vector<TensorShape> inputs = input_shapes(layer, model);
  return std::visit(WorkOf{{inputs, layer.output}}, layer.op);
}

bool is_view(const Op& op) {
  return reads_nothing(op) || std::holds_alternative<Flatten>(op) ||
         std::holds_alternative<Reshape>(op) || std::holds_alternative<Permute>(op) ||
         std::holds_alternative<Expand>(op);
}

void check_batch(std::int64_t batch) { check_range("the batch", batch, 1, kMaxChannels); }

}  // namespace

Counts count(const Layer& layer, const Model& model, std::int64_t batch) {
  check_batch(batch);
  const Work work = work_of(layer, model);
  const bool inputs_need = std::ranges::any_of(
      layer.inputs, [&](int read) { return model.layers().at(read).needs_gradient; });
  Counts counts;
  counts.parameters = parameters_of(layer, model);
  const std::int64_t forward = flops(work.forward);
  const std::int64_t backward = sum({flops(work.own), inputs_need ? flops(work.inputs) : 0});
  const auto times = [batch](const Layer& each) { return each.per_sample ? batch : 1; };
  counts.forward_flops = product({times(layer), forward});
  counts.training_flops =
      sum({product({times(layer), sum({forward, backward})}), kMomentumStep * counts.parameters});
  if (is_view(layer.op)) return counts;
  counts.activations = product({times(layer), layer.output.elements()});
  std::int64_t read =
      std::holds_alternative<Embedding>(layer.op) ? counts.activations : counts.parameters;
  for (const int input : layer.inputs) {
    const Layer& from = model.layers().at(input);
    read = sum({read, product({times(from), from.output.elements()})});
  }
  counts.bytes = product({kBytesPerNumber, sum({read, counts.activations})});
  return counts;
}

Counts count(const Model& model, std::int64_t batch) {
  check_batch(batch);
  Counts total;
  for (const Layer& layer : model.layers()) {
    const Counts counts = count(layer, model, batch);
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
