// Reports of a running command, from a thread of their own, so that a database that does not answer
// never keeps anybody from watching the command.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "fleet/job_table.h"

namespace ampere {

// Has the table for itself as long as it lives. Its destruction waits for a report on its way.
class Reporter {
 public:
  Reporter(JobTable& table, const Attempt& attempt, Joules drawn);
  ~Reporter();
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;

  // Reports this as soon as it can, and draws up to `in_all`. The latest call counts.
  void report(const AttemptProgress& progress, Joules in_all);

  Joules drawn() const;
  // Throws what a report threw: JobCancelled, or that another attempt took over. Nothing is
  // reported any more then.
  void check() const;

 private:
  struct Wish {
    AttemptProgress progress;
    Joules in_all;
  };
  void work();

  JobTable& table_;
  const Attempt& attempt_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::optional<Wish> wish_;
  Joules drawn_;
  std::exception_ptr error_;
  bool ending_ = false;
  std::thread thread_;  // last: uses what is above
};

}  // namespace ampere
