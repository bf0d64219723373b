#include "ampere/error.h"
#include "lowering/pointwise.h"
#include "lowering/sequences.h"

namespace ampere::lowering {
namespace {

// cuDNN works along the time axis, whatever the order of the axes.
TensorType time_first(const Tensor& like, std::int64_t channels) {
  const std::int64_t batch = like.size(0);
  TensorType type = dense(like.type.element, {batch, like.size(1), channels});
  type.strides = {channels, batch * channels, 1};
  return type;
}

void check(const Eager& eager) {
  if (eager.low_format)
    throw Error(ErrorCode::usage,
                "recurrent layers cannot be lowered in bf16 or fp16: how autocast packs their "
                "weights is not known; use fp32 or trace the network instead");
}

}  // namespace

Tensor recurrent(Eager& eager, const Tensor& x, const Tensors& weights, const Recurrent& op,
                 bool training) {
  check(eager);
  if (!eager.dialect.recurrent_in_one_call) return recurrent_in_steps(eager, x, weights, op);
  const bool has_cell = op.cell == Cell::lstm;
  const std::int64_t directions = op.bidirectional ? 2 : 1;
  const TensorType state = dense(x.type.element, {directions, x.size(0), op.hidden});
  const auto zeros = [&] {
    return eager.run("zeros", {state.sizes}, state, {{"dtype", state.element}});
  };
  const Tensor hidden = zeros();
  const Tensor cell = has_cell ? zeros() : Tensor{};
  const Arguments options{has_cell ? "lstm" : "gru", op.hidden, 1, true, 0.0, training,
                          op.bidirectional};
  Call call{.name = "recurrent", .arguments = {x, weights, hidden, cell}};
  call.arguments.insert(call.arguments.end(), options.begin(), options.end());
  const TensorType type = time_first(x, directions * op.hidden);
  call.results = {type, state, has_cell ? Argument(state) : Argument{}};
  eager.recorder.record(call);
  const Tensor result{type, eager.recorder.allocate(type, false, StorageKind::activation), {}};
  if (eager.keeps_graph) eager.view("detach", result, {result}, result.type);
  Tensors inputs{x}, kept;
  for (const Tensor& weight : weights) {
    inputs.push_back(weight);
    kept.push_back(detached(weight));
  }
  return eager.connected(
      result, inputs,
      [&eager, x = detached(x), kept, hidden, cell, options,
       result](const Tensors& gradients) -> Tensors {
        eager.view("detach", result, {result}, result.type);
        Call back{.name = "recurrent_backward", .arguments = {gradients[0], x, kept, hidden, cell}};
        back.arguments.insert(back.arguments.end(), options.begin(), options.end());
        const TensorType read = time_first(x, x.size(2));
        back.results = {read, kept};
        eager.recorder.record(back);
        Tensors results{{read, eager.recorder.allocate(read, false, StorageKind::activation), {}}};
        for (const Tensor& weight : kept)
          results.push_back({weight.type,
                             eager.recorder.allocate(weight.type, false, StorageKind::activation),
                             {}});
        return results;
      });
}

}  // namespace ampere::lowering
