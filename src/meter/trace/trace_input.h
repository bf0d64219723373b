// Where the lines of a trace come from: a file, finished or still being written, or whatever has a
// file descriptor and goes on (a named pipe, a serial port, the output of a command).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "ampere/units.h"

namespace ampere {

class TraceInput {
 public:
  virtual ~TraceInput() = default;
  // Waits up to `patience` for bytes. 0: none came yet; absent: there will be no more. Throws
  // Error(failed) when it broke.
  virtual std::optional<std::size_t> read(std::span<char> buffer, Seconds patience) = 0;
  virtual std::string why_ended() { return "ended"; }  // after `read` was absent
  virtual bool live() const { return true; }           // what comes is of now, not older
  virtual void rewind() {}                             // finished files only
};

// Both throw Error(no_meter), Error(permission) or Error(usage).
std::unique_ptr<TraceInput> open_growing_file(const std::string& path);
std::unique_ptr<TraceInput> open_finished_file(const std::string& path);

// `source` is the path of a named pipe or a character device, else a command for the shell; it is
// killed with the input.
std::unique_ptr<TraceInput> open_stream(const std::string& source);

// Cuts bytes into lines; of the last one only what came so far is kept.
class LineCutter {
 public:
  // Calls `line` with each whole line, without its end. Throws Error(usage) for one that is too
  // long to be a sample.
  template <class Line>
  void add(std::string_view bytes, Line line) {
    for (std::size_t end; (end = bytes.find('\n')) != std::string_view::npos;) {
      if (rest_.empty()) {
        line(bytes.substr(0, end));
      } else {
        keep(bytes.substr(0, end));
        line(std::string_view(rest_));
        rest_.clear();
      }
      bytes.remove_prefix(end + 1);
    }
    keep(bytes);
  }

  // The line without an end that was left over.
  std::string take_rest() { return std::exchange(rest_, {}); }

 private:
  void keep(std::string_view bytes);

  std::string rest_;
};

}  // namespace ampere
