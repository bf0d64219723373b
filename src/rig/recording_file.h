// A recording as lines of text: a header, then one line for each answer. The format is in
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
  std::vector<std::string> lines;  // all of them, the header first
  bool torn = false;  // the last line was cut off while it was written, and is left out
};

// Throws Error(unknown) when there is no such file, Error(permission) when it cannot be read,
// Error(usage) when it is not a recording.
RecordingFile read_recording(const std::string& path);

Json recording_header(const DeviceInfo& device);

// Appends lines, each on disk when `write` returns; compressed when the path ends in ".gz".
class RecordingWriter {
 public:
  virtual ~RecordingWriter() = default;
  virtual void write(const std::string& line) = 0;  // Error(permission) when the disk refuses
};
std::unique_ptr<RecordingWriter> open_recording_writer(const std::string& path);

}  // namespace ampere
