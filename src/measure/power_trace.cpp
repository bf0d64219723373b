#include "measure/power_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/steady_now.h"

namespace ampere {
namespace {

// Readings come about as often as rows are wanted, and not to the microsecond.
constexpr double kAboutAnInterval = 0.9;

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  return quoted + "\"";
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

PowerTrace::PowerTrace(const MeterInfo& info, Seconds interval, const std::string& path)
    : info_(info), interval_(interval), path_(path), began_(steady_now()) {
  if (path_.empty()) return;
  file_ = open_out_file(path_, "the trace");
  write_header();
}

void PowerTrace::write_header() {
  std::string header =
      fmt::format("# source: {}\n# meter: {} ({})\ntime_s,power_w", to_string(info_.source),
                  one_line(info_.name), one_line(info_.method));
  for (const MeterDomain& domain : info_.domains) header += "," + csv_field(domain.name + "_w");
  write(header);
}

// Flushed line by line: a kill loses nothing.
void PowerTrace::write(const std::string& line) {
  if (!file_) return;
  if (std::fputs((line + "\n").c_str(), file_.get()) >= 0 && std::fflush(file_.get()) == 0) return;
  failure_ = fmt::format("the trace {} ends early: {}", path_, std::strerror(errno));
  file_.reset();
}

void PowerTrace::add(const Reading& reading) {
  const std::scoped_lock lock(mutex_);
  if (!last_) last_ = reading;
  const Seconds passed = reading.time - last_->time;
  if (passed < kAboutAnInterval * interval_) return;
  const auto watts = [passed](Joules energy) { return energy.value / passed.count(); };
  const Watts power{watts(total(info_, reading) - total(info_, *last_))};
  std::string row = fmt::format("{:.6f},{:.6g}", (reading.time - began_).count(), power.value);
  for (std::size_t i = 0; i < reading.energy.size(); ++i)
    row += fmt::format(",{:.6g}", watts(reading.energy[i] - last_->energy[i]));
  if (last_->time >= run_begin_ && reading.time <= run_end_)
    peak_ = std::max(peak_.value_or(power), power);
  last_ = reading;
  write(row);
}

void PowerTrace::begin_run(Seconds time) {
  const std::scoped_lock lock(mutex_);
  run_begin_ = time;
  run_end_ = Seconds::max();
  peak_.reset();
}

void PowerTrace::end_run(Seconds time) {
  const std::scoped_lock lock(mutex_);
  run_end_ = time;
}

std::optional<Watts> PowerTrace::peak() const {
  const std::scoped_lock lock(mutex_);
  return peak_;
}

std::string PowerTrace::failure() const {
  const std::scoped_lock lock(mutex_);
  return failure_;
}

}  // namespace ampere
