#include <fmt/format.h>

#include <filesystem>

#include "ampere/error.h"
#include "base/text.h"
#include "model/model_json.h"
#include "record/record_json.h"
#include "rig/recording_file.h"

namespace ampere {
namespace {

// Texts of foreign origin (a driver's message) may not be valid UTF-8; a line always is.
std::string to_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// After a line that was cut off nothing can be appended, so the whole lines are written anew. The
// old file is replaced only when the new one is complete.
void mend(const std::string& path, const RecordingFile& file) {
  // The ending decides on compression, so it stays at the end.
  const std::filesystem::path original(path);
  const std::string whole =
      (original.parent_path() / ("mended-" + original.filename().string())).string();
  try {
    std::filesystem::remove(whole);
    {
      const auto writer = open_recording_writer(whole);
      for (const std::string& line : file.lines) writer->write(line);
    }
    std::filesystem::rename(whole, path);
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error(ErrorCode::permission,
                fmt::format("{}: was cut off and cannot be mended: {}", path, error.what()));
  }
}

// True when the file has a header already.
bool continue_recording(const std::string& path, const DeviceInfo& device) {
  std::error_code missing;
  if (std::filesystem::file_size(path, missing) == 0 || missing) return false;
  const RecordingFile file = read_recording(path);
  if (file.device.fingerprint != fingerprint_of(device))
    throw Error(ErrorCode::usage,
                fmt::format("{}: is a recording of another device ({}, {}), and this is {} ({}); "
                            "record into another file",
                            path, file.device.name, file.device.fingerprint, device.name,
                            fingerprint_of(device)));
  if (file.torn) mend(path, file);
  return true;
}

class RecordingRig : public Rig {
 public:
  RecordingRig(std::unique_ptr<Rig> rig, const std::string& path) : rig_(std::move(rig)) {
    const bool continued = continue_recording(path, rig_->device());
    writer_ = open_recording_writer(path);
    if (!continued) writer_->write(to_line(recording_header(rig_->device())));
  }

  const DeviceInfo& device() const override { return rig_->device(); }

  Measurement measure(const Model& model, const Setup& setup, const Precision& precision) override {
    Json line{{"model_hash", model_hash(model)},
              {"model", model_json(model)},
              {"setup", setup_json(setup)},
              {"precision", precision_json(precision)}};
    return record(line, "measurement", measurement_json,
                  [&] { return rig_->measure(model, setup, precision); });
  }

  bool can_time() const override { return rig_->can_time(); }

  Timing time(const Model& model, const Setup& setup) override {
    return record(brief_line("time", model, setup), "timing", timing_json,
                  [&] { return rig_->time(model, setup); });
  }

  bool can_pace() const override { return rig_->can_pace(); }

  Pace pace(const Model& model, const Model& reference, const Setup& setup) override {
    Json line = brief_line("pace", model, setup);
    line["reference_hash"] = model_hash(reference);
    return record(std::move(line), "pace", pace_json,
                  [&] { return rig_->pace(model, reference, setup); });
  }

  bool can_idle() const override { return rig_->can_idle(); }

  Window idle_after(const Model& load, const Setup& setup) override {
    return record(brief_line("idle", load, setup), "idle", window_json,
                  [&] { return rig_->idle_after(load, setup); });
  }

  // What a training gives is the caller's to keep; an answer from a recording would train nothing.
  bool can_train() const override { return rig_->can_train(); }

  DataInfo describe_data(const std::string& data) override { return rig_->describe_data(data); }

  TrainingResult train(const TrainingTask& task, const TrainingListener& listener) override {
    return rig_->train(task, listener);
  }

  bool can_measure(const Model& model, const Setup& setup) const override {
    return rig_->can_measure(model, setup);
  }

 private:
  // Timings come by the hundred: the name must do for the network.
  static Json brief_line(const char* verb, const Model& model, const Setup& setup) {
    return {{"do", verb},
            {"model_hash", model_hash(model)},
            {"model", {{"name", model.name()}}},
            {"setup", setup_json(setup)}};
  }

  template <class Ask, class Value>
  Value record(Json line, const char* key, Json (*json_of)(const Value&), const Ask& ask) {
    try {
      const Value value = ask();
      write(line, key, json_of(value));
      return value;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::failed) write(line, "failure", error.what());
      throw;
    }
  }

  void write(Json& line, const char* key, Json value) {
    line[key] = std::move(value);
    line["taken_at"] = utc_now();
    writer_->write(to_line(line));
  }

  std::unique_ptr<Rig> rig_;
  std::unique_ptr<RecordingWriter> writer_;
};

}  // namespace

std::unique_ptr<Rig> make_recording_rig(std::unique_ptr<Rig> rig, const std::string& path) {
  return std::make_unique<RecordingRig>(std::move(rig), path);
}

}  // namespace ampere
