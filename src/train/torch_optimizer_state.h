// What an optimizer remembers, by the names of the weights it moves. Seen by the sources that see
// torch.
#pragma once

#include <string>
#include <vector>

#include "ampere/train.h"
#include "train/torch_network.h"
#include "train/torch_optimizer.h"

namespace ampere {

// After a backward pass: the parameters that take part in it, in order.
std::vector<std::string> names_with_gradient(const TorchNetwork& network, const Model& model);

// "conv1.weight.momentum" of SGD; "….first", "….second" and "steps" of Adam. None before the first
// step.
Weights optimizer_state(const TorchOptimizer& optimizer, const std::vector<std::string>& names);

// Gives the optimizer what the task's state has, if anything, on the network's device. Gives the
// names it is for, in order. Throws Error(usage) for another optimizer's or another network's.
std::vector<std::string> restore(TorchOptimizer& optimizer, const TrainingTask& task,
                                 const TorchNetwork& network);

}  // namespace ampere
