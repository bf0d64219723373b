// A trainer and a meter on one device under the measuring protocol.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ampere/measurement.h"
#include "ampere/model.h"
#include "ampere/timing.h"
#include "ampere/training.h"

namespace ampere {

// What a measurement depends on beside the network. Equal fingerprints may share measurements.
struct DeviceInfo {
  std::string name;      // "NVIDIA H200", "AMD EPYC (2 cores)", "simulated Jetson Xavier"
  std::string hardware;  // cores, memory, chip
  std::string driver;
  std::string framework;   // "libtorch 1.13.1, OpenBLAS"
  std::string meter;       // "nvml:0 (energy counter)"
  std::string power_mode;  // power limit, governor; "unknown" when it cannot be read
  Source source = Source::measured;
  std::string fingerprint;  // 16 hex digits over all of the above
};
std::string fingerprint_of(const DeviceInfo& device);

class Rig {
 public:
  virtual ~Rig() = default;
  virtual const DeviceInfo& device() const = 0;

  // Throws Error(failed) when this network could not be measured (out of memory, the runner died):
  // the rig is usable again afterwards. Other codes mean that going on makes no sense.
  virtual Measurement measure(const Model& model, const Setup& setup,
                              const Precision& precision) = 0;

  // How long a step takes, without a meter; a few milliseconds. Throws as measure does, and
  // Error(usage) where can_time() is false.
  virtual bool can_time() const { return false; }
  virtual Timing time(const Model& model, const Setup& setup);

  // The network's pace against that of another one. Throws as measure does, and Error(usage) where
  // can_pace() is false.
  virtual bool can_pace() const { return false; }
  virtual Pace pace(const Model& model, const Model& reference, const Setup& setup);

  // A window without iterations: about a second of doing nothing right after training `load`,
  // while the device's clocks are still up. Throws as measure does, and Error(usage) where
  // can_idle() is false.
  virtual bool can_idle() const { return false; }
  virtual Window idle_after(const Model& load, const Setup& setup);

  // Training on real data. Throws as measure does, Error(usage) where can_train() is false or the
  // data set is broken or does not go with the network, and Error(unknown) where there is none.
  virtual bool can_train() const { return false; }
  virtual DataInfo describe_data(const std::string& data);
  virtual TrainingResult train(const TrainingTask& task, const TrainingListener& listener = {});

  // False for networks that can only fail: a recording has an answer for those in it alone.
  virtual bool can_measure(const Model&, const Setup&) const { return true; }
};

struct RigOptions {
  std::string meter;     // spec for open_meter on the device; empty: the best available
  std::string runner;    // path of ampere-runner; empty: beside the program, then PATH
  int seed = 0;          // for simulated devices
  bool verbose = false;  // passes what the runner logs on to stderr
};

// "local", "cpu", "cpu:1" (with one thread), "cuda:0", "cmd:<command line>", "sim:<device>",
// "recorded:<file>". Throws Error(usage) for a bad spec, Error(unknown) for no such device or file.
std::unique_ptr<Rig> open_rig(const std::string& spec, const RigOptions& options = {});

// Passes everything on to `rig` and appends device and answers to a file that `recorded:` replays.
std::unique_ptr<Rig> make_recording_rig(std::unique_ptr<Rig> rig, const std::string& path);

struct SimDevice {
  std::string name;         // "xavier"
  std::string description;  // the law in a sentence
};
const std::vector<SimDevice>& sim_devices();

}  // namespace ampere
