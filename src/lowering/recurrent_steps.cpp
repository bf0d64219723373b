// Recurrent layers step by step, as PyTorch executes them without cuDNN.
#include <algorithm>

#include "lowering/pointwise.h"
#include "lowering/products.h"
#include "lowering/sequences.h"
#include "lowering/views.h"

namespace ampere::lowering {
namespace {

// A function that replaces its argument: the same memory, another node.
Tensor in_place(Eager& eager, const char* name, const Tensor& x, Arguments arguments,
                const Tensors& inputs, Backward backward) {
  eager.change(name, x, std::move(arguments));
  return eager.connected(detached(x), inputs, std::move(backward));
}

Tensor add_to(Eager& eager, const Tensor& x, const Tensor& other) {
  return in_place(eager, "add_.Tensor", x, {x, other}, {x, other},
                  [](const Tensors& gradients) -> Tensors {
                    return {gradients[0], gradients[0]};
                  });
}

Tensor product(Eager& eager, const Tensor& a, const Tensor& b) {
  return eager.run("mul.Tensor", {a, b}, elementwise(std::vector{a.type, b.type}));
}

// The old numbers are copied first, since the gradient of the factor needs them.
Tensor multiply_by(Eager& eager, const Tensor& x, const Tensor& factor) {
  const Tensor old = eager.keeps_graph ? eager.run("clone", {x}, same_type(x)) : Tensor{};
  return in_place(eager, "mul_.Tensor", x, {x, factor}, {x, factor},
                  [&eager, old, factor = detached(factor)](const Tensors& gradients) -> Tensors {
                    const Tensor of_factor = product(eager, gradients[0], old);
                    return {product(eager, gradients[0], factor), of_factor};
                  });
}

Tensor squash(Eager& eager, const char* name, const char* backward, const Tensor& x) {
  const Tensor result = detached(x);
  Tensor squashed = in_place(
      eager, name, x, {x}, {x}, [&eager, backward, result](const Tensors& gradients) -> Tensors {
        eager.view("detach", result, {result}, result.type);
        return {eager.run(backward, {gradients[0], result},
                          elementwise(std::vector{gradients[0].type, result.type}))};
      });
  if (eager.keeps_graph) eager.view("detach", result, {result}, result.type);
  return squashed;
}

Tensor squash_sigmoid(Eager& eager, const Tensor& x) {
  return squash(eager, "sigmoid_", "sigmoid_backward", x);
}
Tensor squash_tanh(Eager& eager, const Tensor& x) {
  return squash(eager, "tanh_", "tanh_backward", x);
}

Tensors split_gates(Eager& eager, const Tensor& gates, std::int64_t width) {
  Tensor part = detached(gates);
  part.type.sizes[1] = width;
  Tensors parts(gates.size(1) / width, part);
  eager.recorder.record({.name = "unsafe_split.Tensor",
                         .arguments = {gates, width, 1},
                         .results = {Argument(parts)}});
  eager.connect(parts, {gates}, [&eager](const Tensors& gradients) -> Tensors {
    return {cat(eager, gradients, 1)};
  });
  return parts;
}

Tensor stack(Eager& eager, const Tensors& parts) {
  Sizes sizes = parts[0].sizes();
  sizes.insert(sizes.begin(), static_cast<std::int64_t>(parts.size()));
  return eager.connected(
      eager.run("stack", {parts}, dense(parts[0].type.element, sizes)), parts,
      [&eager, count = parts.size()](const Tensors& gradients) {
        Tensors own;
        for (std::size_t i = 0; i < count; ++i)
          own.push_back(select(eager, gradients[0], 0, static_cast<std::int64_t>(i)));
        return own;
      });
}

struct State {
  Tensor hidden, cell;  // a GRU has no cell
};

State lstm_step(Eager& eager, const Tensor& given, const State& state, const Tensor& weight,
                const Tensor& bias) {
  Tensor gates = linear(eager, state.hidden, weight, bias);
  gates = add_to(eager, gates, given);
  const Tensors parts = split_gates(eager, gates, state.hidden.size(1));
  const Tensor in = squash_sigmoid(eager, parts[0]);
  const Tensor forget = squash_sigmoid(eager, parts[1]);
  const Tensor fresh = squash_tanh(eager, parts[2]);
  const Tensor out = squash_sigmoid(eager, parts[3]);
  const Tensor kept = multiply(eager, forget, state.cell);
  const Tensor cell = add_to(eager, kept, multiply(eager, in, fresh));
  return {multiply(eager, out, tanh(eager, cell)), cell};
}

State gru_step(Eager& eager, const Tensor& given, const State& state, const Tensor& weight,
               const Tensor& bias) {
  const std::int64_t width = state.hidden.size(1);
  const Tensors from_input = split_gates(eager, given, width);
  const Tensors from_state = split_gates(eager, linear(eager, state.hidden, weight, bias), width);
  const Tensor reset = squash_sigmoid(eager, add_to(eager, from_state[0], from_input[0]));
  const Tensor keep = squash_sigmoid(eager, add_to(eager, from_state[1], from_input[1]));
  const Tensor old = multiply_by(eager, from_state[2], reset);
  const Tensor fresh = squash_tanh(eager, add(eager, from_input[2], old));
  const Tensor change = multiply_by(eager, subtract(eager, state.hidden, fresh), keep);
  return {add_to(eager, change, fresh), {}};
}

}  // namespace

Tensor recurrent_in_steps(Eager& eager, const Tensor& x, const Tensors& weights,
                          const Recurrent& op) {
  const bool has_cell = op.cell == Cell::lstm;
  const std::int64_t directions = op.bidirectional ? 2 : 1;
  const TensorType type = dense(x.type.element, {directions, x.size(0), op.hidden});
  const auto zeros = [&] {
    return eager.run("zeros", {type.sizes}, type, {{"dtype", type.element}});
  };
  const Tensor first_hidden = zeros();
  const Tensor first_cell = has_cell ? zeros() : Tensor{};
  const Tensor turned = transpose(eager, x, 0, 1);
  const Tensors hidden = unbind(eager, first_hidden);
  const Tensors cells = has_cell ? unbind(eager, first_cell) : Tensors{};
  const std::size_t own = weights.size() / directions;  // weights per direction
  Tensors results, last_hidden, last_cell;
  for (std::int64_t direction = 0; direction < directions; ++direction) {
    const auto weight = [&](std::size_t i) {
      return i < own ? weights[direction * own + i] : Tensor{};
    };
    Tensors steps = unbind(eager, linear(eager, turned, weight(0), weight(2)));
    if (direction == 1) std::reverse(steps.begin(), steps.end());
    State state{hidden[direction], has_cell ? cells[direction] : Tensor{}};
    Tensors outputs;
    for (const Tensor& step : steps) {
      state = has_cell ? lstm_step(eager, step, state, weight(1), weight(3))
                       : gru_step(eager, step, state, weight(1), weight(3));
      outputs.push_back(state.hidden);
    }
    if (direction == 1) std::reverse(outputs.begin(), outputs.end());
    results.push_back(stack(eager, outputs));
    last_hidden.push_back(state.hidden);
    last_cell.push_back(state.cell);
  }
  const Tensor output = directions == 2 ? cat(eager, results, 2) : results[0];
  stack(eager, last_hidden);
  if (has_cell) {
    stack(eager, last_cell);
    return transpose(eager, output, 0, 1);
  }
  Tensor back = detached(output);
  std::swap(back.type.sizes[0], back.type.sizes[1]);
  std::swap(back.type.strides[0], back.type.strides[1]);
  return eager.connected(eager.view("transpose_", back, {back, 0, 1}, back.type), {output},
                         [&eager](const Tensors& gradients) -> Tensors {
                           return {transpose(eager, gradients[0], 0, 1)};
                         });
}

}  // namespace ampere::lowering
