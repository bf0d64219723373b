#include "train/operation/recurrent.h"

#include <ATen/ATen.h>

#include "ampere/error.h"
#include "train/operation/argument.h"
#include "train/operation/gradient.h"
#include "train/recurrent_weights.h"

namespace ampere {
namespace {

RecurrentMode mode_of(const std::string& word, const Operation& operation) {
  if (word == "lstm") return RecurrentMode::lstm;
  if (word == "gru") return RecurrentMode::gru;
  if (word == "tanh") return RecurrentMode::tanh;
  if (word == "relu") return RecurrentMode::relu;
  throw Error(ErrorCode::failed, operation.name + ": there is no mode '" + word + "'");
}

std::int64_t gates(RecurrentMode mode) {
  return mode == RecurrentMode::lstm ? 4 : mode == RecurrentMode::gru ? 3 : 1;
}

// The weights of every layer and direction, as PyTorch's modules keep them.
std::vector<at::Tensor> make_weights(const RecurrentForm& form, const at::Tensor& like) {
  std::vector<at::Tensor> weights;
  const std::int64_t rows = gates(form.mode) * form.hidden, directions = form.bidirectional ? 2 : 1;
  const auto add = [&](at::IntArrayRef sizes) {
    weights.push_back(at::rand(sizes, like.options()).sub_(0.5).mul_(0.1).requires_grad_());
  };
  for (std::int64_t layer = 0; layer < form.layers; ++layer)
    for (std::int64_t direction = 0; direction < directions; ++direction) {
      add({rows, layer == 0 ? form.features : directions * form.hidden});
      add({rows, form.hidden});
      if (!form.bias) continue;
      add({rows});
      add({rows});
    }
  lay_out_for_cudnn(weights, form);
  return weights;
}

struct RecurrentCall {
  RecurrentForm form;
  bool batch_first = false, training = false;
  double dropout = 0;
  at::Tensor x, state;
  std::vector<at::Tensor> weights;

  at::Tensor operator()() const {
    switch (form.mode) {
      case RecurrentMode::lstm:
        return std::get<0>(at::lstm(x, {state, state}, weights, form.bias, form.layers, dropout,
                                    training, form.bidirectional, batch_first));
      case RecurrentMode::gru:
        return std::get<0>(at::gru(x, state, weights, form.bias, form.layers, dropout, training,
                                   form.bidirectional, batch_first));
      case RecurrentMode::tanh:
        return std::get<0>(at::rnn_tanh(x, state, weights, form.bias, form.layers, dropout,
                                        training, form.bidirectional, batch_first));
      default:
        return std::get<0>(at::rnn_relu(x, state, weights, form.bias, form.layers, dropout,
                                        training, form.bidirectional, batch_first));
    }
  }
};

// `first` is the place of the input: a backward pass has its gradient before it.
RecurrentCall read_recurrent(const Operation& operation, const OperationTensors& tensors,
                             std::size_t first) {
  const auto* weights = std::get_if<ValueList>(&argument(operation, first + 1).is);
  RecurrentCall call;
  call.x = tensors.make_if_there(argument(operation, first));
  if (!call.x.defined() || call.x.dim() != 3)
    throw Error(ErrorCode::failed,
                operation.name + ": packed sequences of different lengths are not timed alone");
  RecurrentForm& form = call.form;
  form.mode = mode_of(OperationView(operation, {}).text(first + 4), operation);
  form.features = call.x.size(2);
  form.hidden = whole(operation, first + 5);
  form.layers = whole(operation, first + 6);
  call.batch_first = flag(operation, first + 7);
  call.dropout = real(operation, first + 8).value_or(0);
  call.training = flag(operation, first + 9);
  form.bidirectional = flag(operation, first + 10);
  const std::int64_t directions = form.bidirectional ? 2 : 1;
  form.bias = weights && std::ssize(*weights) == 4 * form.layers * directions;
  const std::int64_t batch = call.x.size(call.batch_first ? 0 : 1);
  call.state = at::zeros({form.layers * directions, batch, form.hidden}, call.x.options());
  call.weights = make_weights(form, call.x);
  return call;
}

}  // namespace

OperationCall recurrent(const Operation& operation, const OperationTensors& tensors) {
  return [call = read_recurrent(operation, tensors, 0)] { call(); };
}

OperationCall recurrent_backward(const Operation& operation, const OperationTensors& tensors) {
  const RecurrentCall call = read_recurrent(operation, tensors, 1);
  std::vector<at::Tensor> leaves = call.weights;
  if (has_result(operation, 0, tensors)) leaves.push_back(call.x);
  return repeated_backward(operation, leaves, tensors.make_if_there(argument(operation, 0)), call);
}

}  // namespace ampere
