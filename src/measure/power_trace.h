// Power over time from a meter's readings: a CSV file where one is wanted, and the peak.
#pragma once

#include <mutex>

#include "ampere/meter.h"
#include "measure/out_file.h"

namespace ampere {

// May be used from several threads. Rows are `interval` apart, or a step of the meter where that is
// longer: time since the trace began, then the mean power since the row before.
class PowerTrace {
 public:
  // An empty path: no file. Throws Error(permission) or Error(usage) when it cannot be written.
  PowerTrace(const MeterInfo& info, Seconds interval, const std::string& path);

  void add(const Reading& reading);

  Seconds began() const { return began_; }  // steady clock

  // The peak is that of the rows which lie inside the last run; absent when none does.
  void begin_run(Seconds time);
  void end_run(Seconds time);
  std::optional<Watts> peak() const;

  // Why the file is not whole, or empty.
  std::string failure() const;

 private:
  void write_header();
  void write(const std::string& line);

  const MeterInfo info_;
  const Seconds interval_;
  const std::string path_;
  const Seconds began_;
  mutable std::mutex mutex_;  // guards what follows
  OutFile file_;
  std::optional<Reading> last_;
  Seconds run_begin_{}, run_end_{};
  std::optional<Watts> peak_;
  std::string failure_;
};

}  // namespace ampere
