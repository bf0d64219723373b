#include "train/recurrent_weights.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

namespace ampere {

void lay_out_for_cudnn(const std::vector<at::Tensor>& weights, const RecurrentForm& form) {
  if (!weights.at(0).is_cuda() || !at::cudnn_is_acceptable(weights[0])) return;
  const c10::NoGradGuard no_grad;
  at::_cudnn_rnn_flatten_weight(weights, form.bias ? 4 : 2, form.features,
                                static_cast<std::int64_t>(form.mode), form.hidden, 0, form.layers,
                                true, form.bidirectional);
}

}  // namespace ampere
