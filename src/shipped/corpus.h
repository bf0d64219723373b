// Programs that people run, traced from their own code: what a sweep of a device is made of.
#pragma once

#include <vector>

#include "ampere/program.h"

namespace ampere {

// One iteration each, of networks of torchvision, transformers and our own, in several batches and
// number formats. Takes about a second.
std::vector<Program> shipped_corpus();

}  // namespace ampere
