// What trains on the device: LibTorch inside this program, or a worker beside it.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "ampere/rig.h"
#include "ampere/train.h"

namespace ampere {

struct Framework {
  std::string place;  // "cpu" or "cuda:N"
  DeviceInfo device;  // without the meter
  std::unique_ptr<Trainer> trainer;
  std::unique_ptr<Learner> learner;  // null when it cannot train on data
  std::unique_ptr<Tracer> tracer;    // null when the trainer has its own, or there is none
};

// `device` is "local", "cpu", "cuda" or "cuda:N"; `threads` that compute on the CPU, 0 for the
// framework's own choice. Throws Error(unknown) when there is no such device, and without LibTorch.
Framework open_libtorch(const std::string& device, int threads);

// Times operations on that device for another process of this program, which is how the tracer of
// open_libtorch() times them. Throws as it does.
void time_operations_with_libtorch(const std::string& device, int threads, std::istream& in,
                                   std::ostream& out);

// The devices that LibTorch can train on, by place. Throws without LibTorch.
struct PlacedDevice {
  std::string place;
  DeviceInfo device;
};
std::vector<PlacedDevice> libtorch_devices();

// The command line is split as a shell would split it, but runs without one. Throws as
// open_worker_trainer does.
Framework open_worker(const std::string& command, const std::string& device, int threads,
                      Seconds step_timeout);

}  // namespace ampere
