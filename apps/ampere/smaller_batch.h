// How a batch that does not fit into memory can be trained all the same: smaller ones, accumulated.
#pragma once

#include <optional>

#include "ampere/session.h"

namespace ampere {

struct SmallerBatch {
  std::int64_t batch = 1, accumulation = 1;
};
// Half of the batch, a quarter … until the predicted peak fits with the usual margin. Nothing where
// even one sample does not, or where the peak cannot be predicted.
std::optional<SmallerBatch> batch_that_fits(const Model& model, const Setup& setup,
                                            std::int64_t memory_bytes);

// Adds to the warning that the network does not fit which batch would; nothing where it fits.
void warn_of_smaller_batch(const Model& model, const Setup& setup, const DeviceInfo& device,
                           Estimate& estimate);

}  // namespace ampere
