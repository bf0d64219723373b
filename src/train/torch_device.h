// The devices of LibTorch, and what fits them. Seen by the sources that see torch.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "ampere/train.h"

namespace ampere {

int cuda_devices();

// "cpu" or "cuda:N". Throws Error(usage) for another text and Error(unknown) for a device that is
// not there.
at::Device parse_device(const std::string& text);

SetupRange torch_setups();

void seed_numbers();  // every job sees equal data

// Throws Error(usage) for a setup that LibTorch does not train with, Error(failed) where training
// would take more memory than a CPU has: there allocating too much succeeds, and kills later.
void check_room(const Model& model, const Setup& setup, at::Device device);

}  // namespace ampere
