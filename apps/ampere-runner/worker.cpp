#include <wordexp.h>

#include "ampere/error.h"
#include "framework.h"
#include "rig/worker_trainer.h"

namespace ampere {
namespace {

// Quotes and escapes as in a shell; nothing is run, and a command that would have to be is refused.
std::vector<std::string> words_of(const std::string& command) {
  wordexp_t words;
  if (wordexp(command.c_str(), &words, WRDE_NOCMD | WRDE_UNDEF) != 0 || words.we_wordc == 0)
    throw Error(ErrorCode::usage, "worker '" + command + "': is not a plain command line");
  std::vector<std::string> argv(words.we_wordv, words.we_wordv + words.we_wordc);
  wordfree(&words);
  return argv;
}

}  // namespace

Framework open_worker(const std::string& command, const std::string& device, int threads,
                      Seconds step_timeout) {
  WorkerCommand worker{.argv = words_of(command)};
  worker.argv.insert(worker.argv.end(), {"--device", device});
  if (threads > 0) worker.argv.insert(worker.argv.end(), {"--threads", std::to_string(threads)});
  if (step_timeout.count() > 0) worker.step_timeout = worker.prepare_timeout = step_timeout;
  auto trainer = open_worker_trainer(std::move(worker));
  std::string place = trainer->place();
  DeviceInfo info = trainer->device();
  return {std::move(place), std::move(info), std::move(trainer), nullptr};
}

}  // namespace ampere
