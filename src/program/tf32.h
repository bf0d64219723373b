// Products of fp32 numbers in TF32, which takes less time and energy than full products. It is a
// setting of the framework that no argument of an operation shows.
#pragma once

#include "ampere/program.h"

namespace ampere {

// From now on all products of matrices in fp32 are in TF32.
void allow_tf32(Program& program);
// The same program where nothing is said of TF32, as a device without it executes it.
Program without_tf32(Program program);

// Whether an operation was told to use TF32, or not to.
bool mentions_tf32(const Program& program);
// Whether a product of matrices is in TF32.
bool multiplies_in_tf32(const Program& program);

}  // namespace ampere
