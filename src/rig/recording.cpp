#include "rig/recording.h"

#include <fmt/format.h>

#include <filesystem>

#include "ampere/error.h"
#include "base/text.h"
#include "record/recorded_line.h"
#include "record/request_json.h"
#include "rig/recording_file.h"

namespace ampere {
namespace {

// A foreign text, such as a message of a driver, may not be valid UTF-8; a line must be.
std::string to_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Nothing can be appended after an incomplete line, so the complete lines are written to a new
// file, which replaces the old one when it is finished.
void repair(const std::string& path, const RecordingFile& file) {
  // The ending of the name decides on compression, so the prefix comes first.
  const std::filesystem::path original(path);
  const std::string whole =
      (original.parent_path() / ("repaired-" + original.filename().string())).string();
  try {
    std::filesystem::remove(whole);
    {
      const auto writer = open_recording_writer(whole);
      for (const std::string& line : file.lines) writer->write(line);
    }
    std::filesystem::rename(whole, path);
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error(ErrorCode::permission,
                fmt::format("{}: is incomplete and cannot be repaired: {}", path, error.what()));
  }
}

// Returns true when the file already has a header.
bool continue_recording(const std::string& path, const DeviceInfo& device) {
  std::error_code missing;
  if (std::filesystem::file_size(path, missing) == 0 || missing) return false;
  const RecordingFile file = read_recording(path);
  if (file.device.fingerprint != fingerprint_of(device))
    throw Error(ErrorCode::usage,
                fmt::format("{}: is a recording of another device ({}, {}) than this one ({}, "
                            "{}); record into another file",
                            path, file.device.name, file.device.fingerprint, device.name,
                            fingerprint_of(device)));
  if (file.truncated) repair(path, file);
  return true;
}

class RecordingRig : public Rig {
 public:
  RecordingRig(std::unique_ptr<Rig> rig, const std::string& path, const std::string& repeat_with)
      : rig_(std::move(rig)) {
    const bool continued = continue_recording(path, rig_->device());
    writer_ = open_recording_writer(path);
    if (!continued) writer_->write(to_line(recording_header(rig_->device(), repeat_with)));
  }

  const DeviceInfo& device() const override { return rig_->device(); }
  Abilities abilities() const override { return rig_->abilities(); }
  SetupRange setups() const override { return rig_->setups(); }
  bool can_answer(const Request& request) const override { return rig_->can_answer(request); }
  std::vector<std::string> warnings() const override { return rig_->warnings(); }

 private:
  RigAnswer answer(const Request& request, const RunListener& listener) override {
    if (!is_recorded(request)) return rig_->run(request, listener);
    try {
      RigAnswer answer = rig_->run(request, listener);
      write(request, answer_json(answer));
      return answer;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::failed) write(request, {{"failure", error.what()}});
      throw;
    }
  }

  void write(const Request& request, const Json& outcome) {
    Json line = recorded_line(request, outcome);
    line["taken_at"] = utc_now();
    writer_->write(to_line(line));
  }

  std::unique_ptr<Rig> rig_;
  std::unique_ptr<RecordingWriter> writer_;
};

}  // namespace

std::unique_ptr<Rig> make_recording_rig(std::unique_ptr<Rig> rig, const std::string& path) {
  return make_recording_rig(std::move(rig), path, "");
}

std::unique_ptr<Rig> make_recording_rig(std::unique_ptr<Rig> rig, const std::string& path,
                                        const std::string& repeat_with) {
  return std::make_unique<RecordingRig>(std::move(rig), path, repeat_with);
}

}  // namespace ampere
