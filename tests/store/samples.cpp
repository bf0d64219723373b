#include "samples.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "record/record_json.h"
#include "store/storable.h"

namespace ampere {

DeviceInfo sample_device(const std::string& name) {
  DeviceInfo device;
  device.name = name;
  device.hardware = "4 cores";
  device.meter = "none";
  device.power_mode = "unknown";
  device.source = Source::simulated;
  device.fingerprint = fingerprint_of(device);
  return device;
}

Setup sample_setup(std::int64_t batch) {
  Setup setup;
  setup.batch = batch;
  return setup;
}

Model sample_model(std::int64_t channels, const std::string& name) {
  ModelBuilder builder(name);
  builder.add(Input{flat(8), false});
  builder.add(Linear{channels, true});
  builder.add(Linear{3, true});
  return std::move(builder).build();
}

Observation sample_observation(const std::string& kind, std::int64_t channels, double energy) {
  Observation observation;
  observation.device = sample_device();
  observation.setup = sample_setup();
  observation.model = sample_model(channels);
  observation.purpose = kind.empty() ? Purpose::network : Purpose::variant;
  observation.kind = kind;
  if (!kind.empty()) observation.features = {8, channels};
  Measurement measurement;
  measurement.source = Source::simulated;
  measurement.elapsed = Seconds{2.5};
  measurement.notes = {"a note with ünïcode"};
  for (const double factor : {0.1, 1.0 / 3, 1e-300}) {
    Window window;
    window.iterations = 7;
    window.time = Seconds{0.25 + factor};
    window.energy = Joules{energy * factor};
    window.state.temperature_c = 41.5;
    measurement.windows.push_back(window);
  }
  measurement.windows[1].rejected = "throttled";
  summarize(measurement);
  observation.measurement = measurement;
  observation.taken_at = "2026-01-31T12:00:00Z";
  return observation;
}

Observation sample_of(Purpose purpose, const std::string& kind) {
  Observation observation = sample_observation();
  observation.purpose = purpose;
  observation.kind = has_kind(purpose) ? kind : "";
  return observation;
}

Observation sample_failure(const std::string& why) {
  Observation observation = sample_observation();
  observation.measurement.reset();
  observation.failure = why;
  return observation;
}

BlockTiming sample_timing(const std::string& kind, std::int64_t channels, double device_s) {
  const Timing timing{.device_s = device_s, .host_s = 0.7e-3, .elapsed = Seconds{0.02}};
  return {.kind = kind,
          .features = {8, channels},
          .timing = timing,
          .failure = "",
          .taken_at = "2026-01-31T12:00:00Z"};
}

BlockTiming sample_failed_timing(const std::string& why) {
  BlockTiming timing = sample_timing();
  timing.timing.reset();
  timing.failure = why;
  return timing;
}

std::int64_t open_sample_profile(Store& store) {
  return store.open_profile(sample_device(), sample_setup(), "sim:bench");
}

std::string text_of(const Observation& observation) {
  return json_text(observation_json(observation));
}

std::vector<std::string> texts_of(const std::vector<Observation>& observations) {
  std::vector<std::string> texts;
  for (const Observation& observation : observations) texts.push_back(text_of(observation));
  return texts;
}

std::vector<std::string> texts_of(const std::vector<BlockTiming>& timings) {
  std::vector<std::string> texts;
  for (const BlockTiming& timing : timings) texts.push_back(json_text(block_timing_json(timing)));
  return texts;
}

Thrown thrown_by(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  ADD_FAILURE() << "nothing was thrown";
  return {ErrorCode::failed, ""};
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::int64_t run_sql(const std::string& path, const std::string& sql) {
  sqlite3* handle = nullptr;
  std::int64_t value = 0;
  const auto keep = [](void* out, int, char** values, char**) {
    *static_cast<std::int64_t*>(out) = values[0] ? std::strtoll(values[0], nullptr, 10) : 0;
    return 0;
  };
  if (sqlite3_open(path.c_str(), &handle) != SQLITE_OK ||
      sqlite3_exec(handle, sql.c_str(), keep, &value, nullptr) != SQLITE_OK)
    ADD_FAILURE() << sql << ": " << sqlite3_errmsg(handle);
  sqlite3_close(handle);
  return value;
}

}  // namespace ampere
