// What a training iteration is made of, whatever the data are. Seen by the sources that see torch.
#pragma once

#include <vector>

#include "train/torch_network.h"
#include "train/torch_optimizer.h"

namespace ampere {

struct Batch {  // on the device
  std::vector<at::Tensor> inputs;
  at::Tensor labels;  // one class per sample or token; undefined when nothing is classified
};

bool classifies(const TensorShape& output);

// The output as one row of numbers a label.
at::Tensor rows_of(const at::Tensor& output);

// Cross-entropy, on average over the labels; the mean of squares without labels.
at::Tensor loss_of(const at::Tensor& output, const at::Tensor& labels);

// Parameters that the output does not depend on have no gradient and are left alone. Which they are
// is the same in every iteration, so the optimizer's state keeps its order.
void update(const TorchNetwork& network, TorchOptimizer& optimizer);
void clear_gradients(const TorchNetwork& network);

}  // namespace ampere
