// The threads that compute on the CPU.
#pragma once

namespace ampere {

// Before anything is computed: every thread, BLAS's included, flushes denormals to zero.
void prepare_threads();

}  // namespace ampere
