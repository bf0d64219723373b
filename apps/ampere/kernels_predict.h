// Predicts the cost of kernels from a stream.
#pragma once

#include <istream>

#include "ampere/kernels.h"
#include "ampere/progress.h"

namespace ampere {

// Reads one configuration per line, as JSON objects or as CSV with a header, and prints its cost at
// once: as JSON lines when `json` is set, else as CSV. Throws Error(usage) with the line number for
// a bad configuration, Error(unknown) for a kernel without a predictor.
void predict_stream(const KernelPredictor& predictor, std::istream& in, bool json, StopToken stop);

}  // namespace ampere
