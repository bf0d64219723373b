// Predicts the cost of kernels from a stream.
#pragma once

#include <istream>

#include "ampere/progress.h"
#include "method/kernels/kernel_fit.h"

namespace ampere {

// Reads one configuration per line, as JSON objects or as CSV with a header, and prints its cost at
// once: as JSON lines when `json` is set, else as CSV. Throws Error(usage) with the line number for
// a bad configuration, Error(unknown) for a kernel without a predictor.
void predict_stream(const KernelFits& fits, std::istream& in, bool json, StopToken stop);

}  // namespace ampere
