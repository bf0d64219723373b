// What NVIDIA's driver says about a GPU. The driver is loaded at run time: the build needs no CUDA.
#pragma once

#include <string>

namespace ampere {

struct CudaDevice {
  std::string name;      // "NVIDIA H200"
  std::string hardware;  // "132 multiprocessors, compute capability 9.0, 140 GiB"
  std::string driver;    // "580.95.05"; the CUDA version it supports when it does not say
};

// `index` counts as CUDA does, CUDA_VISIBLE_DEVICES included. Throws Error(unknown) naming the call
// that failed.
CudaDevice cuda_device(int index);

}  // namespace ampere
