// What a job does on its node: as JSON in the job table, so that a node needs no file but the
// database.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ampere/model.h"
#include "ampere/train.h"

namespace ampere {

struct JobWork {
  // Trained on random data unless there is a command. Absent only with a command.
  std::optional<Model> model;
  Setup setup;
  std::int64_t iterations = 0;  // of the model; with a command, 0 or what it was estimated for

  std::vector<std::string> command;  // empty: the model is trained
  std::string folder;                // where the command runs; empty: where the job was started
  // Sent to the command when its energy will soon be used up; it then has the grace to save itself.
  std::string checkpoint_signal = "USR1";
  Seconds checkpoint_grace{10};

  std::string rig = "local";  // that trains the model
  std::string meter;          // for a command; empty: the best of the node, or "modelled" when the
                              // rig is a simulated device
  int seed = 0;               // of a simulated device
  double time_scale = 1;      // seconds that pass per simulated second

  bool is_command() const { return !command.empty(); }
};

// Text that parse_job_work reads back. Both throw Error(usage) naming the origin and the field for
// work that nobody could do: neither model nor command, no iterations, an unknown signal.
std::string to_text(const JobWork& work);
JobWork parse_job_work(const std::string& text, const std::string& origin);

}  // namespace ampere
