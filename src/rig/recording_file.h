// A recording as lines of text: a header, then one line per answer. The format is described in
// docs/recordings.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ampere/rig.h"
#include "base/json.h"

namespace ampere {

struct RecordingFile {
  DeviceInfo device;               // of the header
  std::string repeat_with;         // likewise: the command that asks again, less the path; or ""
  std::vector<std::string> lines;  // all lines, the header first
  bool truncated = false;          // the last line was incomplete and is left out
};

// Throws Error(unknown) when there is no such file, Error(permission) when it cannot be read and
// Error(usage) when it is not a recording.
RecordingFile read_recording(const std::string& path);

Json recording_header(const DeviceInfo& device, const std::string& repeat_with = "");

// Appends lines. Each is on disk when write() returns. Compresses when the path ends in ".gz".
class RecordingWriter {
 public:
  virtual ~RecordingWriter() = default;
  // Throws Error(failed) when the disk is full, Error(permission) when the system refuses, and
  // Error(usage) when the line is longer than any that is read.
  virtual void write(const std::string& line) = 0;
};
std::unique_ptr<RecordingWriter> open_recording_writer(const std::string& path);

}  // namespace ampere
