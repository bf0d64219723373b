#include "record/record_json.h"

#include <gtest/gtest.h>

#include "ampere/error.h"
#include "model/model_json.h"

namespace ampere {
namespace {

Model small_model() {
  ModelBuilder builder("small");
  builder.add(Input{image(1, 8, 8)});
  builder.add(Conv{4, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  builder.add(Flatten{});
  builder.add(Linear{10});
  return std::move(builder).build();
}

DeviceInfo device() {
  DeviceInfo info{"Board", "4 cores", "1.0", "framework 2", "nvml:0", "15 W", Source::modelled, ""};
  info.fingerprint = fingerprint_of(info);
  return info;
}

Measurement measurement() {
  Measurement result;
  result.source = Source::modelled;
  Window full;
  full.iterations = 123;
  full.time = Seconds(0.1);
  full.energy = Joules{1.0 / 3};
  full.cpu_s = 0.09;
  full.steal_s = 0;
  full.state = {61.5, 1377, "thermal", 2};
  Window bare;
  bare.iterations = 100;
  bare.time = Seconds(0.11);
  bare.energy = Joules{1e-7};
  bare.rejected = "another process";
  result.windows = {full, bare, full};
  result.windows[2].energy = Joules{0.4};
  summarize(result);
  result.elapsed = Seconds(4.25);
  result.notes = {"precision not reached in 4 s: 3.1 %"};
  return result;
}

Observation observation() {
  Observation result;
  result.device = device();
  result.model = small_model();
  result.purpose = Purpose::variant;
  result.kind = "kind";
  result.features = {3, 4};
  result.measurement = measurement();
  result.timing = Timing{1.0 / 3, 1e-300, Seconds{0.02}};
  result.pace = Pace{1.0 / 7, 0.002, "0123456789abcdef", Seconds{0.75}};
  result.taken_at = "2026-01-31T12:00:00Z";
  return result;
}

template <class Read>
auto reread(const Json& json, Read read) {
  const Json parsed = parse_json(json.dump(), "test");
  return read(JsonField(parsed, "test: "));
}

template <class Read>
std::string complaint(const Json& json, Read read) {
  try {
    reread(json, read);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "";
}

TEST(RecordJson, SetupComesBack) {
  const ampere::Setup setup{32, Optimizer::adam, "bf16"};
  EXPECT_EQ(reread(setup_json(setup), read_setup), setup);
}

TEST(RecordJson, PrecisionComesBack) {
  const Precision back =
      reread(precision_json({0.013, Seconds(7.5), Seconds(0.125), 4, 5, 1000}), read_precision);
  EXPECT_EQ(back.relative_error, 0.013);
  EXPECT_EQ(back.time_limit.count(), 7.5);
  EXPECT_EQ(back.min_window.count(), 0.125);
  EXPECT_EQ(back.min_periods, 4);
  EXPECT_EQ(back.min_windows, 5);
  EXPECT_EQ(back.min_iterations, 1000);
}

TEST(RecordJson, PrecisionHasDefaults) {
  EXPECT_EQ(precision_json(reread(Json::object(), read_precision)), precision_json({}));
}

TEST(RecordJson, DeviceComesBackWithAComputedFingerprint) {
  Json json = device_json(device());
  json["fingerprint"] = "0000000000000000";
  const DeviceInfo back = reread(json, read_device);
  EXPECT_EQ(device_json(back), device_json(device()));
  EXPECT_EQ(back.fingerprint, fingerprint_of(device()));
}

TEST(RecordJson, MeasurementComesBackToTheLastBit) {
  const Measurement back = reread(measurement_json(measurement()), read_measurement);
  EXPECT_EQ(measurement_json(back), measurement_json(measurement()));
  ASSERT_EQ(back.windows.size(), 3u);
  EXPECT_EQ(back.windows[0].energy.value, 1.0 / 3);
  EXPECT_EQ(back.energy_j.mean, measurement().energy_j.mean);
  EXPECT_EQ(back.energy_j.stddev, measurement().energy_j.stddev);
  EXPECT_EQ(back.energy_j.degrees, measurement().energy_j.degrees);
}

TEST(RecordJson, AbsentIsNullNotZero) {
  const Json window = window_json(measurement().windows[1]);
  for (const char* key : {"cpu_s", "steal_s", "temperature_c", "clock_mhz", "throttle"})
    EXPECT_TRUE(window.at(key).is_null()) << key;
  const Window back = reread(window, read_window);
  EXPECT_FALSE(back.cpu_s.has_value());
  EXPECT_FALSE(back.state.temperature_c.has_value());
  EXPECT_EQ(reread(window_json(measurement().windows[0]), read_window).steal_s, 0.0);
}

// Readers that do not know the key see a window that counts, as it does.
TEST(RecordJson, KeepsWhatDisturbedAWindowThatCounts) {
  Window window = measurement().windows[0];
  EXPECT_FALSE(window_json(window).contains("disturbed"));
  window.disturbed = "2 other processes used the device";
  const Json json = window_json(window);
  EXPECT_TRUE(json.at("rejected").is_null());
  EXPECT_EQ(reread(json, read_window).disturbed, window.disturbed);
}

TEST(RecordJson, SpreadOfASingleWindowIsNull) {
  Measurement single = measurement();
  single.windows.resize(1);
  summarize(single);
  const Json json = measurement_json(single);
  EXPECT_TRUE(json["energy_j_per_iteration"]["standard_error"].is_null());
  EXPECT_FALSE(reread(json, read_measurement).energy_j.stddev);
}

TEST(RecordJson, StatisticsFollowFromWindowsWhenNotWritten) {
  Json json = measurement_json(measurement());
  json.erase("energy_j_per_iteration");
  json.erase("time_s_per_iteration");
  EXPECT_EQ(measurement_json(reread(json, read_measurement)), measurement_json(measurement()));
  json["windows"] = Json::array();
  EXPECT_NE(complaint(json, read_measurement).find("windows"), std::string::npos);
}

TEST(RecordJson, ObservationComesBack) {
  const Observation back = reread(observation_json(observation()), read_observation);
  EXPECT_EQ(observation_json(back), observation_json(observation()));
  EXPECT_EQ(model_hash(back.model), model_hash(small_model()));
  EXPECT_EQ(back.features, observation().features);
  EXPECT_EQ(back.timing.value().device_s, 1.0 / 3);
  EXPECT_EQ(back.pace.value().time_s, 1.0 / 7);
  EXPECT_EQ(back.taken_at, observation().taken_at);
}

TEST(RecordJson, ObservationOfBeforeTimesWereTakenIsRead) {
  Json json = observation_json(observation());
  json.erase("timing");
  json.erase("pace");
  const Observation back = reread(json, read_observation);
  EXPECT_FALSE(back.timing);
  EXPECT_FALSE(back.pace);
  EXPECT_TRUE(observation_json(back).at("pace").is_null());
}

TEST(RecordJson, PaceComesBackToTheLastBit) {
  const Pace back = reread(pace_json(*observation().pace), read_pace);
  EXPECT_EQ(back.time_s, 1.0 / 7);
  EXPECT_EQ(back.reference_s, 0.002);
  EXPECT_EQ(back.reference, "0123456789abcdef");
  EXPECT_EQ(back.elapsed.count(), 0.75);
}

TEST(RecordJson, PaceAgainstAnUnnamedReferenceIsNullThere) {
  const Json json = pace_json({0.1, 0.2, "", Seconds{1}});
  EXPECT_TRUE(json.at("reference").is_null());
  EXPECT_EQ(reread(json, read_pace).reference, "");
}

// Both are divided by.
TEST(RecordJson, RefusesAPaceThatCannotBe) {
  for (const char* key : {"time_s", "reference_s"}) {
    for (const Json& bad : {Json(0), Json(-1.5), Json("soon"), Json(nullptr)}) {
      Json json = pace_json(*observation().pace);
      json[key] = bad;
      EXPECT_NE(complaint(json, read_pace).find(key), std::string::npos) << bad;
    }
  }
  Json json = pace_json(*observation().pace);
  json["elapsed_s"] = -1;
  EXPECT_NE(complaint(json, read_pace).find("elapsed_s"), std::string::npos);
  json = pace_json(*observation().pace);
  json["reference"] = 12;
  EXPECT_NE(complaint(json, read_pace).find("reference"), std::string::npos);
  EXPECT_NE(complaint(Json::array(), read_pace).find("object"), std::string::npos);
}

TEST(RecordJson, FailedObservationComesBack) {
  Observation failed = observation();
  failed.purpose = Purpose::network;
  failed.kind.clear();
  failed.measurement.reset();
  failed.failure = "out of memory";
  const Json json = observation_json(failed);
  EXPECT_TRUE(json["kind"].is_null());
  const Observation back = reread(json, read_observation);
  EXPECT_FALSE(back.measurement.has_value());
  EXPECT_EQ(back.failure, "out of memory");
  EXPECT_EQ(back.kind, "");
}

TEST(RecordJson, EveryPurposeComesBack) {
  for (const Purpose purpose : {Purpose::network, Purpose::variant, Purpose::test, Purpose::check,
                                Purpose::kernel, Purpose::fusion, Purpose::overhead}) {
    Observation of = observation();
    of.purpose = purpose;
    of.kind = has_kind(purpose) ? "conv+relu" : "";
    of.round_widths = purpose == Purpose::network;
    const Json json = observation_json(of);
    EXPECT_EQ(json.at("purpose"), to_string(purpose));
    const Observation back = reread(json, read_observation);
    EXPECT_EQ(back.purpose, purpose);
    EXPECT_EQ(back.kind, of.kind);
    EXPECT_EQ(back.round_widths, of.round_widths);
  }
}

TEST(RecordJson, AKindBelongsToSomePurposesOnly) {
  Json json = observation_json(observation());
  json["purpose"] = "network";
  EXPECT_NE(complaint(json, read_observation).find("a network has no kind"), std::string::npos);
  json["purpose"] = "kernel";
  json["kind"] = nullptr;
  EXPECT_NE(complaint(json, read_observation).find("a kernel must have a kind"), std::string::npos);
  json["purpose"] = "kernl";
  EXPECT_NE(complaint(json, read_observation).find("did you mean 'kernel'"), std::string::npos);
}

// They told the purpose by texts, which are no kinds and no notes any more.
TEST(RecordJson, ReadsObservationsOfBeforeTheyHadAPurpose) {
  const auto old = [](const Json& kind) {
    Json json = observation_json(observation());
    json.erase("purpose");
    json.erase("round_widths");
    json["kind"] = kind;
    return reread(json, read_old_observation);
  };
  const auto expect = [&](const Json& kind, Purpose purpose, const std::string& now) {
    EXPECT_EQ(old(kind).purpose, purpose) << kind;
    EXPECT_EQ(old(kind).kind, now) << kind;
    EXPECT_FALSE(old(kind).round_widths);
  };
  expect(nullptr, Purpose::network, "");
  expect("not learnt from", Purpose::check, "");
  expect("hidden: conv", Purpose::variant, "hidden: conv");
  expect("test of hidden: conv", Purpose::test, "hidden: conv");
  expect("kernel conv+bn", Purpose::kernel, "conv+bn");
  expect("fusion", Purpose::fusion, "");
  expect("overhead", Purpose::overhead, "");

  Json json = observation_json(observation());
  json["kind"] = nullptr;
  json["measurement"]["notes"] = {"one", "at round widths, for its profile", "two"};
  const Observation back = reread(json, read_old_observation);
  EXPECT_TRUE(back.round_widths);
  EXPECT_EQ(back.measurement.value().notes, (std::vector<std::string>{"one", "two"}));
}

TEST(RecordJson, ObservationIsAMeasurementOrAFailure) {
  Json both = observation_json(observation());
  both["failure"] = "out of memory";
  EXPECT_NE(complaint(both, read_observation).find("either"), std::string::npos);
  Json neither = both;
  neither["failure"] = neither["measurement"] = nullptr;
  EXPECT_NE(complaint(neither, read_observation).find("either"), std::string::npos);
}

TEST(RecordJson, IgnoresKeysItDoesNotKnow) {
  Json json = measurement_json(measurement());
  json["from_the_future"] = {1, 2, 3};
  json["windows"][0]["humidity"] = 0.4;
  EXPECT_EQ(measurement_json(reread(json, read_measurement)), measurement_json(measurement()));
}

TEST(RecordJson, NamesTheFieldOfAWrongType) {
  Json json = measurement_json(measurement());
  json["windows"][1]["energy_j"] = "12";
  EXPECT_NE(complaint(json, read_measurement).find("windows[1].energy_j"), std::string::npos);
  EXPECT_NE(complaint(Json{{"batch", 1.5}}, read_setup).find("batch"), std::string::npos);
  EXPECT_NE(complaint(Json("text"), read_setup).find("object"), std::string::npos);
  EXPECT_NE(complaint(Json::array(), read_precision).find("object"), std::string::npos);
  EXPECT_NE(complaint(Json(nullptr), read_observation), "");
}

TEST(RecordJson, RefusesValuesThatCannotBe) {
  Json setup = setup_json(ampere::Setup{});
  setup["batch"] = 0;
  EXPECT_NE(complaint(setup, read_setup).find("batch"), std::string::npos);
  setup = setup_json(ampere::Setup{});
  setup["optimizer"] = "sgdd";
  EXPECT_NE(complaint(setup, read_setup).find("optimizer"), std::string::npos);
  Json json = device_json(device());
  json["source"] = "guessed";
  EXPECT_NE(complaint(json, read_device).find("source"), std::string::npos);
  Json window = window_json(measurement().windows[0]);
  window["iterations"] = -1;
  EXPECT_NE(complaint(window, read_window).find("iterations"), std::string::npos);
  Json precision = precision_json({});
  precision["relative_error"] = 0;
  EXPECT_NE(complaint(precision, read_precision).find("relative_error"), std::string::npos);
  precision = precision_json({});
  precision["min_windows"] = 1e18;
  EXPECT_NE(complaint(precision, read_precision).find("min_windows"), std::string::npos);
  precision["min_windows"] = std::int64_t{1} << 40;
  EXPECT_NE(complaint(precision, read_precision).find("min_windows"), std::string::npos);
}

TEST(RecordJson, WhatADeviceSaysOfItselfIsHarmlessOnATerminal) {
  Json json = device_json(device());
  for (const char* key : {"name", "hardware", "driver", "framework", "meter", "power_mode"})
    json[key] = "a\x1b]0;title\x07";
  const DeviceInfo back = reread(json, read_device);
  for (std::string DeviceInfo::*field :
       {&DeviceInfo::name, &DeviceInfo::hardware, &DeviceInfo::driver, &DeviceInfo::framework,
        &DeviceInfo::meter, &DeviceInfo::power_mode})
    EXPECT_EQ(back.*field, "a\xEF\xBF\xBD]0;title\xEF\xBF\xBD");
}

}  // namespace
}  // namespace ampere
