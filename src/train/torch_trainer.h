// LibTorch behind the Trainer interface. Only the sources of this module see torch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ampere/train.h"

namespace ampere {

// What a measurement on this device depends on, in words.
struct TorchInfo {
  std::string framework;  // "libtorch 1.13.0, OpenBLAS 0.3.21, oneDNN 2.6.3, 2 threads"
  std::string name;       // "AMD EPYC 7B13", "NVIDIA H200"
  std::string hardware;   // "x86_64, 2 logical cores, 23 GiB"
  std::string driver;     // "Linux 6.1.0", "580.95.05"
};

// Devices are "cpu" and "cuda:N". Functions that take one throw Error(usage) for another text and
// Error(unknown) for a device that is not there.
std::vector<std::string> torch_devices();
TorchInfo torch_info(const std::string& device);

// Learning rate 0: the arithmetic of training with numbers that stay where they are. Denormals are
// flushed on every thread that computes. prepare() runs one iteration, so that what does not fit
// fails there; on the CPU it refuses with Error(failed) what would not fit into memory before any
// of it is allocated. A job may outlive its trainer. One job computes at a time.
std::unique_ptr<Trainer> open_torch_trainer(const std::string& device);

// Threads that compute on the CPU, in torch and in its BLAS; LibTorch's own choice (the physical
// cores, or OMP_NUM_THREADS) until this is called. Throws Error(usage) below 1.
void set_threads(int threads);

// Whether every thread that computes, BLAS threads included, rounds denormals to zero now.
bool denormals_flushed();

// Numbers the framework would train in this network; nothing is allocated.
std::int64_t torch_parameters(const Model& model);

// What training really did to a network, to check a new device or framework.
struct TrainingCheck {
  std::vector<double> losses;           // before each iteration, on the same batch
  std::vector<std::string> trained;     // layers whose parameters all got a gradient
  std::vector<std::string> untrained;   // layers with parameters that got none
  std::vector<std::string> fed_back;    // inputs that got a gradient
  std::int64_t changed_parameters = 0;  // tensors that differ from before
};
TrainingCheck check_training(const Model& model, const Setup& setup, const std::string& device,
                             double learning_rate, int iterations);

}  // namespace ampere
