// A trainer that uses a worker: a program, such as `python3 -m ampere.worker`, that speaks the
// protocol of docs/worker-protocol.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ampere/rig.h"
#include "ampere/train.h"

namespace ampere {

inline constexpr int kWorkerProtocol = 1;

struct WorkerCommand {
  std::vector<std::string> argv;
  Seconds hello_timeout{120};    // importing a large framework from a slow disk takes its time
  Seconds prepare_timeout{900};  // building a network, and compiling it
  Seconds step_timeout{300};     // between a request to train and its answer
};

class WorkerTrainer : public Trainer {
 public:
  virtual const std::string& place() const = 0;  // "cpu" or "cuda:N"
  virtual const DeviceInfo& device() const = 0;  // without the meter
};

// Starts the worker and reads its hello. When the worker dies, hangs or sends something invalid,
// only the current job fails: the next one starts the worker again. Throws Error(unknown) when the
// command does not exist, what the worker says when it cannot train, and Error(failed) when it is
// not a worker.
std::unique_ptr<WorkerTrainer> open_worker_trainer(WorkerCommand command);

}  // namespace ampere
