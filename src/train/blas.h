// The BLAS that LibTorch multiplies matrices with on the CPU, reached through the dynamic linker
// because LibTorch does not name it.
#pragma once

#include <string>

namespace ampere {

std::string blas_name();  // "OpenBLAS 0.3.21"; "reference BLAS"; "BLAS unknown"

// OpenBLAS keeps its own threads and counts them itself; other libraries follow OpenMP. No-op for
// those.
void set_blas_threads(int threads);

// Makes OpenBLAS start its own threads anew, if it has any: threads inherit the floating point mode
// of the one that starts them, and OpenBLAS starts them when it is loaded.
void restart_blas_threads();

}  // namespace ampere
