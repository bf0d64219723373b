// Kernels as they come in, with what they cost as they go out.
#pragma once

#include <istream>

#include "method/kernels/kernel_fit.h"

namespace ampere {

// One configuration a line: JSON objects, or CSV below a header. What is read is not kept. Answers
// in JSON lines when `json` is set, else in CSV. Throws Error(usage) naming the line for what is no
// configuration, Error(unknown) for a kernel without predictor.
void predict_stream(const KernelFits& fits, std::istream& in, bool json);

}  // namespace ampere
