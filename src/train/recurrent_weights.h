// Weights of recurrent layers in the memory of a device. Seen by the sources that see torch.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace ampere {

enum class RecurrentMode { relu, tanh, lstm, gru };  // as cuDNN counts them

struct RecurrentForm {
  RecurrentMode mode = RecurrentMode::lstm;
  std::int64_t features = 0, hidden = 0, layers = 1;
  bool bias = true, bidirectional = false;
};

// cuDNN wants them in one piece; otherwise it copies them in every iteration. Where it is not used,
// they stay as they are.
void lay_out_for_cudnn(const std::vector<at::Tensor>& weights, const RecurrentForm& form);

}  // namespace ampere
