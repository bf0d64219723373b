#include "record/record_json.h"

#include <algorithm>

#include "ampere/error.h"
#include "base/or_null.h"
#include "base/plain_text.h"
#include "model/model_json.h"
#include "record/old_marks.h"
#include "base/read_number.h"

namespace ampere {
namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

double read_positive(const JsonField& json) {
  const double value = json.number();
  if (value <= 0) json.fail("must be positive");
  return value;
}

double positive_or(const JsonField& json, const std::string& key, double otherwise) {
  return json.has(key) ? read_positive(json.at(key)) : otherwise;
}

Json statistic_json(const Quantity& statistic) {
  return {{"mean", statistic.mean}, {"standard_error", or_null(statistic.stddev)}};
}

Quantity read_statistic(const JsonField& json, std::int64_t windows) {
  Quantity statistic{read_at_least_zero(json.at("mean"))};
  if (json.has("standard_error")) statistic.stddev = read_at_least_zero(json.at("standard_error"));
  statistic.degrees = static_cast<double>(std::max<std::int64_t>(windows - 1, 1));
  return statistic;
}

MeterState read_state(const JsonField& json) {
  MeterState state;
  state.temperature_c = json.optional_number("temperature_c");
  state.clock_mhz = json.optional_number("clock_mhz");
  if (json.has("throttle")) state.throttle = json.at("throttle").text();
  if (json.has("other_processes"))
    state.other_processes = read_count(json.at("other_processes"), 0);
  return state;
}

}  // namespace

Json precision_json(const Precision& precision) {
  Json json{{"relative_error", precision.relative_error},
            {"time_limit_s", precision.time_limit.count()},
            {"min_window_s", precision.min_window.count()},
            {"min_periods", precision.min_periods},
            {"min_windows", precision.min_windows},
            {"min_iterations", precision.min_iterations}};
  if (precision.calm_within.count() > 0) json["calm_within_s"] = precision.calm_within.count();
  return json;
}

Precision read_precision(const JsonField& json) {
  if (!json.json().is_object()) json.fail("must be an object");
  Precision precision;
  precision.relative_error = positive_or(json, "relative_error", precision.relative_error);
  precision.time_limit = Seconds(positive_or(json, "time_limit_s", precision.time_limit.count()));
  precision.min_window = Seconds(positive_or(json, "min_window_s", precision.min_window.count()));
  if (json.has("min_periods")) precision.min_periods = read_count(json.at("min_periods"), 1);
  if (json.has("min_windows")) precision.min_windows = read_count(json.at("min_windows"), 1);
  precision.min_iterations = json.integer_or("min_iterations", precision.min_iterations);
  if (json.has("calm_within_s"))
    precision.calm_within = Seconds(read_at_least_zero(json.at("calm_within_s")));
  return precision;
}

Json device_json(const DeviceInfo& device) {
  return {{"name", device.name},
          {"hardware", device.hardware},
          {"driver", device.driver},
          {"framework", device.framework},
          {"meter", device.meter},
          {"power_mode", device.power_mode},
          {"source", to_string(device.source)},
          {"fingerprint", device.fingerprint}};
}

Json meter_json(const MeterInfo& meter) {
  const auto known = [](double value) { return value > 0 ? Json(value) : Json(nullptr); };
  Json domains = Json::array();
  for (const MeterDomain& domain : meter.domains)
    domains.push_back({{"name", domain.name},
                       {"in_total", domain.in_total},
                       {"place", domain.place},
                       {"contains", domain.contains}});
  return {{"name", meter.name},
          {"source", to_string(meter.source)},
          {"sensing", to_string(meter.sensing)},
          {"method", meter.method},
          {"update_period_s", known(meter.update_period.count())},
          {"resolution_j", known(meter.resolution.value)},
          {"domains", domains},
          {"caveats", meter.caveats}};
}

Json device_brief_json(const DeviceInfo& device) {
  return {{"name", device.name}, {"fingerprint", device.fingerprint}};
}

// What a device says of itself is printed by many verbs: a terminal must not obey it.
DeviceInfo read_device(const JsonField& json) {
  const auto text_or = [&](const char* key, const char* otherwise) {
    return plain_text(json.text_or(key, otherwise));
  };
  DeviceInfo device;
  device.name = plain_text(json.at("name").text());
  device.hardware = text_or("hardware", "");
  device.driver = text_or("driver", "");
  device.framework = text_or("framework", "");
  device.meter = text_or("meter", "");
  device.power_mode = text_or("power_mode", "unknown");
  device.source = read_word(json.at("source"), parse_source);
  device.fingerprint = fingerprint_of(device);
  return device;
}

Json window_json(const Window& window) {
  Json json{{"iterations", window.iterations},
            {"time_s", window.time.count()},
            {"energy_j", window.energy.value},
            {"cpu_s", or_null(window.cpu_s)},
            {"steal_s", or_null(window.steal_s)},
            {"temperature_c", or_null(window.state.temperature_c)},
            {"clock_mhz", or_null(window.state.clock_mhz)},
            {"throttle", or_null(window.state.throttle)},
            {"other_processes", or_null(window.state.other_processes)},
            {"rejected", text_or_null(window.rejected)}};
  if (!window.disturbed.empty()) json["disturbed"] = window.disturbed;
  return json;
}

Window read_window(const JsonField& json) {
  Window window;
  window.iterations = read_whole(json.at("iterations"));
  window.time = Seconds(read_at_least_zero(json.at("time_s")));
  window.energy = Joules{read_at_least_zero(json.at("energy_j"))};
  window.cpu_s = json.optional_number("cpu_s");
  window.steal_s = json.optional_number("steal_s");
  window.state = read_state(json);
  window.rejected = json.text_or("rejected", "");
  window.disturbed = json.text_or("disturbed", "");
  return window;
}

Json measurement_json(const Measurement& measurement) {
  Json windows = Json::array();
  for (const Window& window : measurement.windows) windows.push_back(window_json(window));
  Json json{{"source", to_string(measurement.source)},
            {"energy_j_per_iteration", statistic_json(measurement.energy_j)},
            {"time_s_per_iteration", statistic_json(measurement.time_s)},
            {"elapsed_s", measurement.elapsed.count()},
            {"notes", measurement.notes},
            {"windows", std::move(windows)}};
  if (measurement.preparation) json["preparation"] = window_json(*measurement.preparation);
  return json;
}

// The statistics may be absent: they follow from the windows.
Measurement read_measurement(const JsonField& json) {
  Measurement measurement;
  measurement.source = read_word(json.at("source"), parse_source);
  measurement.elapsed = Seconds(read_at_least_zero(json.at("elapsed_s")));
  if (json.has("notes"))
    for (const JsonField& note : json.at("notes").items())
      measurement.notes.push_back(plain_text(note.text()));
  const JsonField windows = json.at("windows");
  for (const JsonField& window : windows.items())
    measurement.windows.push_back(read_window(window));
  if (json.has("preparation")) measurement.preparation = read_window(json.at("preparation"));
  if (json.has("energy_j_per_iteration") && json.has("time_s_per_iteration")) {
    const std::int64_t counted = counted_windows(measurement);
    measurement.energy_j = read_statistic(json.at("energy_j_per_iteration"), counted);
    measurement.time_s = read_statistic(json.at("time_s_per_iteration"), counted);
    return measurement;
  }
  try {
    summarize(measurement);
  } catch (const Error& error) {
    windows.fail(error.what());
  }
  return measurement;
}

Json timing_json(const Timing& timing) {
  return {{"device_s", timing.device_s},
          {"host_s", or_null(timing.host_s)},
          {"elapsed_s", timing.elapsed.count()}};
}

Timing read_timing(const JsonField& json) {
  Timing timing;
  timing.device_s = read_at_least_zero(json.at("device_s"));
  if (json.has("host_s")) timing.host_s = read_at_least_zero(json.at("host_s"));
  timing.elapsed = Seconds(read_at_least_zero(json.at("elapsed_s")));
  return timing;
}

Json pace_json(const Pace& pace) {
  return {{"time_s", pace.time_s},
          {"reference_s", pace.reference_s},
          {"reference", text_or_null(pace.reference)},
          {"elapsed_s", pace.elapsed.count()}};
}

Pace read_pace(const JsonField& json) {
  return {read_positive(json.at("time_s")), read_positive(json.at("reference_s")),
          json.text_or("reference", ""), Seconds(read_at_least_zero(json.at("elapsed_s")))};
}

Json block_timing_json(const BlockTiming& timing) {
  return {{"kind", timing.kind},
          {"features", timing.features},
          {"timing", timing.timing ? timing_json(*timing.timing) : Json(nullptr)},
          {"failure", timing.timing ? Json(nullptr) : Json(timing.failure)},
          {"taken_at", timing.taken_at}};
}

BlockTiming read_block_timing(const JsonField& json) {
  BlockTiming timing;
  timing.kind = json.at("kind").text();
  timing.features = json.at("features").integers();
  if (json.has("timing") == json.has("failure"))
    json.fail("must have either a timing or a failure");
  if (json.has("timing")) timing.timing = read_timing(json.at("timing"));
  timing.failure = json.text_or("failure", "");
  timing.taken_at = json.at("taken_at").text();
  return timing;
}

Json observation_json(const Observation& observation) {
  const std::optional<Measurement>& measurement = observation.measurement;
  const std::optional<Timing>& timing = observation.timing;
  const std::optional<Pace>& pace = observation.pace;
  return {{"device", device_json(observation.device)},
          {"setup", setup_json(observation.setup)},
          {"model", model_json(observation.model)},
          {"purpose", to_string(observation.purpose)},
          {"kind", text_or_null(observation.kind)},
          {"features", observation.features},
          {"round_widths", observation.round_widths},
          {"measurement", measurement ? measurement_json(*measurement) : Json(nullptr)},
          {"failure", measurement ? Json(nullptr) : Json(observation.failure)},
          {"timing", timing ? timing_json(*timing) : Json(nullptr)},
          {"pace", pace ? pace_json(*pace) : Json(nullptr)},
          {"taken_at", observation.taken_at}};
}

namespace {

// All of it but its purpose and what was told by it.
Observation read_unmarked(const JsonField& json) {
  Observation observation;
  observation.device = read_device(json.at("device"));
  observation.setup = read_setup(json.at("setup"));
  observation.model = read_model(json.at("model"));
  if (json.has("features")) observation.features = json.at("features").integers();
  if (json.has("measurement") == json.has("failure"))
    json.fail("must have either a measurement or a failure");
  if (json.has("measurement")) observation.measurement = read_measurement(json.at("measurement"));
  observation.failure = json.text_or("failure", "");
  if (json.has("timing")) observation.timing = read_timing(json.at("timing"));
  if (json.has("pace")) observation.pace = read_pace(json.at("pace"));
  observation.taken_at = json.at("taken_at").text();
  return observation;
}

}  // namespace

Observation read_observation(const JsonField& json) {
  Observation observation = read_unmarked(json);
  observation.purpose = read_word(json.at("purpose"), parse_purpose);
  observation.kind = json.text_or("kind", "");
  if (has_kind(observation.purpose) == observation.kind.empty())
    json.fail(std::string("a ") + to_string(observation.purpose) +
              (observation.kind.empty() ? " must have a kind" : " has no kind"));
  observation.round_widths = json.at("round_widths").boolean();
  return observation;
}

Observation read_old_observation(const JsonField& json) {
  Observation observation = read_unmarked(json);
  OldKind old = read_old_kind(json.text_or("kind", ""));
  observation.purpose = old.purpose;
  observation.kind = std::move(old.kind);
  if (observation.measurement)
    observation.round_widths = take_old_round_widths(observation.measurement->notes);
  return observation;
}

}  // namespace ampere
