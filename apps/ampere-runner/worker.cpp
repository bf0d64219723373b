#include "ampere/error.h"
#include "base/command_words.h"
#include "framework.h"
#include "rig/worker_trainer.h"

namespace ampere {

Framework open_worker(const std::string& command, const std::string& device, int threads,
                      Seconds step_timeout) {
  WorkerCommand worker{.argv = command_words(command, "worker '" + command + "'")};
  worker.argv.insert(worker.argv.end(), {"--device", device});
  if (threads > 0) worker.argv.insert(worker.argv.end(), {"--threads", std::to_string(threads)});
  if (step_timeout.count() > 0) worker.step_timeout = worker.prepare_timeout = step_timeout;
  auto trainer = open_worker_trainer(std::move(worker));
  std::string place = trainer->place();
  DeviceInfo info = trainer->device();
  return {std::move(place), std::move(info), std::move(trainer), nullptr, nullptr};
}

}  // namespace ampere
