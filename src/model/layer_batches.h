// How often each layer is computed in an iteration.
#pragma once

#include <cstdint>
#include <vector>

#include "ampere/model.h"

namespace ampere {

// The length of each layer's batch axis: 1 for what is the same for all samples, which is repeated
// where a layer with samples reads it. A parameter that only such layers read is repeated at once.
std::vector<std::int64_t> layer_batches(const Model& model, std::int64_t batch);

}  // namespace ampere
