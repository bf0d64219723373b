#include "lowering/autocast.h"
#include "lowering/pointwise.h"
#include "lowering/sequences.h"
#include "lowering/views.h"

namespace ampere::lowering {
namespace {

// What cuDNN is given.
struct Inputs {
  Tensor x;
  Tensors weights;
  Tensor hidden, cell;  // a GRU has no cell
};

// cuDNN works along the time axis, whatever the order of the axes.
TensorType time_first(const Tensor& like, std::int64_t channels) {
  const std::int64_t batch = like.size(0);
  TensorType type = dense(like.type.element, {batch, like.size(1), channels});
  type.strides = {channels, batch * channels, 1};
  return type;
}

Tensor zeros(Eager& eager, const TensorType& type) {
  return eager.run("zeros", {type.sizes}, type, {{"dtype", type.element}});
}

std::int64_t numbers_in(const Tensors& weights) {
  std::int64_t numbers = 0;
  for (const Tensor& weight : weights) numbers += product(weight.sizes());
  return numbers;
}

// A tensor that reads memory which is there, from an offset. `name` and `place` are those of the
// variant of set_ that is called.
Tensor read_memory(Eager& eager, const Tensor& memory, const TensorType& type, const char* name,
                   const Arguments& place) {
  eager.reserve("empty.memory_format", {Sizes{0}}, dense(type.element, {0}),
                {{"dtype", type.element}, {"layout", "strided"}});
  Arguments arguments{type, Argument{}};
  arguments.insert(arguments.end(), place.begin(), place.end());
  return eager.view(name, memory, std::move(arguments), type);
}

// All weights of a layer are one piece of memory, which PyTorch reads as a single tensor.
void read_as_one(Eager& eager, const Tensors& weights) {
  read_memory(eager, weights[0], dense(weights[0].type.element, {numbers_in(weights)}),
              "set_.source_Storage", {});
}

// Where the weights lie in memory of another format, as columns: all matrices before all biases.
Tensors places_of(Eager& eager, const Tensor& memory, const Tensors& weights) {
  Tensors places(weights.size());
  std::int64_t offset = 0;
  for (const int rank : {2, 1})
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i].rank() != rank) continue;
      const Sizes column{product(weights[i].sizes()), 1};
      places[i] = read_memory(eager, memory, dense(memory.type.element, column),
                              "set_.source_Storage_storage_offset", {offset, column});
      offset += column[0];
    }
  return places;
}

// Copies a weight to its place, where its gradient comes back from.
Tensor copied(Eager& eager, const Tensor& weight, const Tensor& place) {
  const Tensor column = view_as(eager, weight, place.sizes());
  eager.change("copy_", place, {place, column});
  return eager.connected(place, {column}, cast_back(eager, column.type.element));
}

Tensors copied_together(Eager& eager, const Tensors& weights, ElementType element) {
  const TensorType type = dense(element, {numbers_in(weights)});
  const Tensor memory =
      eager.run("zeros", {type.sizes}, type, {{"dtype", element}, {"layout", "strided"}});
  Tensors copies = places_of(eager, memory, weights);
  for (std::size_t i = 0; i < weights.size(); ++i) copies[i] = copied(eager, weights[i], copies[i]);
  return copies;
}

// Under autocast cuDNN works in fp16, even where everything else is in bf16. The weights are copied
// in every pass.
Inputs in_fp16(Eager& eager, const Inputs& from) {
  constexpr ElementType kFormat = ElementType::fp16;
  Inputs inputs;
  inputs.weights = copied_together(eager, from.weights, kFormat);
  inputs.cell = in_format(eager, from.cell, kFormat);
  inputs.hidden = in_format(eager, from.hidden, kFormat);
  inputs.x = in_format(eager, from.x, kFormat);
  return inputs;
}

Call call_of(const char* name, const Inputs& inputs, const Arguments& options) {
  Call call{.name = name, .arguments = {inputs.x, inputs.weights, inputs.hidden, inputs.cell}};
  call.arguments.insert(call.arguments.end(), options.begin(), options.end());
  return call;
}

Tensor allocated(Eager& eager, const TensorType& type) {
  return {type, eager.recorder.allocate(type, false, StorageKind::activation), {}};
}

Tensors run_backward(Eager& eager, const Tensor& gradient, const Inputs& inputs,
                     const Arguments& options) {
  Call call = call_of("recurrent_backward", inputs, options);
  call.arguments.insert(call.arguments.begin(), gradient);
  const TensorType read = time_first(inputs.x, inputs.x.size(2));
  call.results = {read, inputs.weights};
  eager.recorder.record(call);
  Tensors results{allocated(eager, read)};
  for (const Tensor& weight : inputs.weights) results.push_back(allocated(eager, weight.type));
  return results;
}

Tensor run(Eager& eager, const Inputs& inputs, const Arguments& options) {
  const std::int64_t channels = inputs.hidden.size(0) * inputs.hidden.size(2);
  const TensorType type = time_first(inputs.x, channels);
  Call call = call_of("recurrent", inputs, options);
  call.results = {type, inputs.hidden, inputs.cell};
  eager.recorder.record(call);
  const Tensor result = allocated(eager, type);
  if (eager.keeps_graph) eager.view("detach", result, {result}, result.type);
  Tensors connected{inputs.x};
  Inputs kept{detached(inputs.x), {}, inputs.hidden, inputs.cell};
  for (const Tensor& weight : inputs.weights) {
    connected.push_back(weight);
    kept.weights.push_back(detached(weight));
  }
  return eager.connected(result, connected,
                         [&eager, kept, options, result](const Tensors& gradients) -> Tensors {
                           eager.view("detach", result, {result}, result.type);
                           return run_backward(eager, gradients[0], kept, options);
                         });
}

}  // namespace

Tensor recurrent(Eager& eager, const Tensor& x, const Tensors& weights, const Recurrent& op,
                 bool training) {
  if (!eager.dialect.recurrent_in_one_call) return recurrent_in_steps(eager, x, weights, op);
  const bool has_cell = op.cell == Cell::lstm;
  const std::int64_t directions = op.bidirectional ? 2 : 1;
  const TensorType state = dense(x.type.element, {directions, x.size(0), op.hidden});
  Inputs inputs{x, weights, zeros(eager, state), {}};
  if (has_cell) inputs.cell = zeros(eager, state);
  read_as_one(eager, weights);
  if (eager.low_format) inputs = in_fp16(eager, inputs);
  return run(eager, inputs,
             {has_cell ? "lstm" : "gru", op.hidden, 1, true, 0.0, training, op.bidirectional});
}

}  // namespace ampere::lowering
