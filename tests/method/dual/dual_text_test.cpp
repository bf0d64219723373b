#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "ampere/error.h"
#include "base/long_texts.h"
#include "base/packed.h"
#include "method/dual/dual.h"
#include "model/draw.h"
#include "synthetic.h"

namespace ampere {
namespace {

// Jumps, so that there are trees to be written.
const DualText& written() {
  static const DualText text = [] {
    const SyntheticDevice device{.noise = 0.01};
    DualEvidence evidence = evidence_of(device, 12, 40);
    for (BlockTiming& timing : evidence.timings)
      if (!timing.features.empty() && timing.features.back() % 8 == 0)
        timing.timing->device_s *= 0.6;
    return to_text(*fit_dual(evidence));
  }();
  return text;
}

// A kind that has features, trees and a host.
const std::string& kind_with_trees() {
  static const std::string found = [] {
    for (const auto& [kind, text] : written().maps) {
      const Json map = parse_with_long_texts(text, "map");
      if (!map["steps"]["sizes"].empty() && !map["host"].is_null()) return kind;
    }
    throw std::logic_error("no map has trees");
  }();
  return found;
}

const Json& laws_json() {
  static const Json json = parse_with_long_texts(written().laws, "laws");
  return json;
}

const Json& map_json() {
  static const Json json = parse_with_long_texts(written().maps.at(kind_with_trees()), "map");
  return json;
}

ErrorCode code_of(const DualText& text) {
  try {
    parse_dual(text);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::failed;
}

using Change = std::function<void(Json&)>;

void expect_laws_refused(const std::string& what, const Change& change) {
  Json laws = laws_json();
  change(laws);
  EXPECT_EQ(code_of({laws.dump(), {}}), ErrorCode::usage) << what;
}

void expect_map_refused(const std::string& what, const Change& change) {
  Json map = map_json();
  change(map);
  EXPECT_EQ(code_of({written().laws, {{"kind", map.dump()}}}), ErrorCode::usage) << what;
}

std::string packed(const std::vector<double>& values) {
  return pack(std::span<const double>(values));
}

void change_doubles(Json& field, const std::function<void(std::vector<double>&)>& change) {
  std::vector<double> values = unpack_doubles(field.get<std::string>());
  change(values);
  field = packed(values);
}

// Four floats a node: column, left child, cut, value.
void change_nodes(Json& map, const std::function<void(std::vector<float>&)>& change) {
  std::vector<float> values = unpack_floats(map["steps"]["nodes"].get<std::string>());
  change(values);
  map["steps"]["nodes"] = pack(std::span<const float>(values));
}

TEST(DualText, AModelReadBackPredictsTheSame) {
  const SyntheticDevice device{.noise = 0.01};
  for (const bool synchronous : {false, true}) {
    SyntheticDevice other = device;
    other.synchronous = synchronous;
    const SharedDualModel model = fit_dual(evidence_of(other, 20, 40));
    const SharedDualModel read = parse_dual(to_text(*model));
    for (const Model& network : draw_networks("cnn5", 50, 9)) {
      const DualPrediction one = ask(*model, network), same = ask(*read, network);
      EXPECT_NEAR(same.energy_j, one.energy_j, 1e-12 * one.energy_j);
      EXPECT_NEAR(same.energy_sd, one.energy_sd, 1e-12 * one.energy_j);
      EXPECT_NEAR(same.time.time_s, one.time.time_s, 1e-12 * one.time.time_s);
      EXPECT_NEAR(same.time.time_sd, one.time.time_sd, 1e-12 * one.time.time_s);
      EXPECT_NEAR(same.waiting_j, one.waiting_j, 1e-12 * one.energy_j);
    }
    EXPECT_EQ(read->setup, model->setup);
    EXPECT_EQ(read->source, model->source);
    EXPECT_EQ(check_of(*read).networks, check_of(*model).networks);
    EXPECT_EQ(check_of(*read).energy_mape, check_of(*model).energy_mape);
    EXPECT_EQ(check_of(*read).time_mape, check_of(*model).time_mape);
  }
}

TEST(DualText, ReadAndWrittenAgainIsTheSameText) {
  const DualText again = to_text(*parse_dual(written()));
  EXPECT_EQ(again.laws, written().laws);
  EXPECT_EQ(again.maps, written().maps);
}

TEST(DualText, WhatWasLearntLaterIsWrittenToo) {
  const SharedDualModel model = parse_dual(written());
  const Model network = draw_networks("cnn5", 1, 4321)[0];
  const SharedDualModel wiser = with_timings(*model, SyntheticDevice{}.time_blocks(network));
  const SharedDualModel read = parse_dual(to_text(*wiser));
  EXPECT_NEAR(ask(*read, network).energy_j, ask(*wiser, network).energy_j, 1e-12);
  EXPECT_NE(ask(*read, network).energy_j, ask(*model, network).energy_j);
}

TEST(DualText, OfBeforeThereWereIntervalsAtHandHasThoseOfBeforehand) {
  Json laws = laws_json();
  laws.erase("at_hand");
  const SharedDualModel old = parse_dual({dump_with_long_texts(laws), written().maps});
  const Model network = draw_networks("cnn5", 1, 4321)[0];
  EXPECT_EQ(ask(*with_host(*old, 1), network).energy_sd, ask(*old, network).energy_sd);
}

TEST(DualText, MapsMayBeLeftOut) {
  const SharedDualModel model = parse_dual({written().laws, {}});
  EXPECT_TRUE(model->maps.empty());
}

TEST(DualText, TextThatIsNoModelIsRefused) {
  for (const char* text :
       {"", "{}", "[]", "null", "7", "{\"version\": 1}", "{\"version\": \"1\"}"}) {
    EXPECT_EQ(code_of({text, {}}), ErrorCode::usage) << text;
    EXPECT_EQ(code_of({written().laws, {{"kind", text}}}), ErrorCode::usage) << text;
  }
  const std::string& laws = written().laws;
  for (std::size_t length = 0; length < laws.size(); length += 1 + laws.size() / 200)
    EXPECT_EQ(code_of({laws.substr(0, length), {}}), ErrorCode::usage) << length;
}

TEST(DualText, AnotherVersionIsRefused) {
  expect_laws_refused("version", [](Json& laws) { laws["version"] = 99; });
  expect_map_refused("version", [](Json& map) { map["version"] = 0; });
}

TEST(DualText, EveryFieldIsNeeded) {
  for (const auto& [key, value] : laws_json().items()) {
    if (key == "at_hand" || key == "hidden") continue;  // models from before had none
    expect_laws_refused(key, [key = key](Json& json) { json.erase(key); });
  }
  for (const char* part : {"time", "energy", "check", "at_hand"})
    for (const auto& [key, value] : laws_json()[part].items())
      expect_laws_refused(key, [part, key = key](Json& json) { json[part].erase(key); });
  for (const auto& [key, value] : map_json().items()) {
    if (key == "host") continue;  // a device without one has none
    expect_map_refused(key, [key = key](Json& json) { json.erase(key); });
  }
}

TEST(DualText, NumbersMustBeNumbers) {
  expect_laws_refused("text", [](Json& laws) { laws["energy"]["ready_w"] = "100"; });
  expect_laws_refused("null", [](Json& laws) { laws["time"]["overlap"] = nullptr; });
  expect_map_refused("not packed", [](Json& map) { map["timed"] = "NaN!"; });
  expect_map_refused("a list", [](Json& map) { map["trend"] = Json::array({1, 2}); });
}

TEST(DualText, NumbersMustBeFinite) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, inf, -inf}) {
    const auto spoil = [&](std::vector<double>& values) { values.at(values.size() / 2) = bad; };
    expect_laws_refused("weights", [&](Json& j) { change_doubles(j["energy"]["weights"], spoil); });
    expect_laws_refused("inverse",
                        [&](Json& j) { change_doubles(j["energy"]["inverse_lower"], spoil); });
    expect_laws_refused("seen", [&](Json& j) { change_doubles(j["energy"]["seen"][0], spoil); });
    for (const char* key : {"timed", "trend"})
      expect_map_refused(key, [&](Json& map) { change_doubles(map[key], spoil); });
    for (const char* part : {"smooth", "host"})
      for (const char* key : {"x", "weights", "length_scales"})
        expect_map_refused(key, [&](Json& map) { change_doubles(map[part][key], spoil); });
    for (const std::size_t place : {0, 1, 2, 3})
      expect_map_refused("nodes", [&](Json& map) {
        change_nodes(map, [&](auto& values) { values.at(place) = static_cast<float>(bad); });
      });
  }
}

TEST(DualText, SizesMustAgree) {
  const auto longer = [](std::vector<double>& values) { values.push_back(1); };
  const auto shorter = [](std::vector<double>& values) { values.pop_back(); };
  for (const auto& change : {std::function<void(std::vector<double>&)>(longer),
                             std::function<void(std::vector<double>&)>(shorter)}) {
    for (const char* key : {"weights", "inverse_lower"})
      expect_laws_refused(key, [&](Json& j) { change_doubles(j["energy"][key], change); });
    expect_laws_refused("seen", [&](Json& j) { change_doubles(j["energy"]["seen"][1], change); });
    for (const char* part : {"smooth", "host"})
      for (const char* key : {"x", "weights", "length_scales"})
        expect_map_refused(key, [&](Json& map) { change_doubles(map[part][key], change); });
    for (const char* key : {"timed", "trend"})
      expect_map_refused(key, [&](Json& map) { change_doubles(map[key], change); });
  }
  expect_laws_refused("fewer networks", [](Json& j) { j["energy"]["seen"].erase(0); });
  expect_map_refused("another number of features", [](Json& map) { map["low"].push_back(1); });
  expect_map_refused("other numbers of features", [](Json& map) {
    map["low"].push_back(1);
    map["high"].push_back(1);
  });
  expect_map_refused("no features", [](Json& map) {
    map["low"] = Json::array();
    map["high"] = Json::array();
  });
}

// The process of a map may be asked with fewer columns than the text says.
TEST(DualText, ProcessesMustHaveTheColumnsOfTheirKind) {
  for (const char* part : {"smooth", "host"})
    expect_map_refused(part, [&](Json& map) {
      map[part]["length_scales"] = packed({1});
      map[part]["x"] = packed({1, 2, 3});
      map[part]["weights"] = packed({1, 2, 3});
    });
  for (const double bad : {0.0, -1.0})
    expect_map_refused("length scale", [&](Json& map) {
      change_doubles(map["smooth"]["length_scales"], [&](auto& values) { values[0] = bad; });
    });
  expect_laws_refused("length scale", [](Json& j) { j["energy"]["length_scale"] = 0; });
}

TEST(DualText, NodesMustPointForward) {
  const auto with = [](std::size_t place, float value) {
    return [=](Json& map) {
      change_nodes(map, [=](std::vector<float>& nodes) {
        ASSERT_GE(nodes[0], 0) << "the root asks something";
        nodes.at(place) = value;
      });
    };
  };
  expect_map_refused("in a circle", with(1, 0));
  expect_map_refused("backwards", with(1, -1));
  expect_map_refused("nowhere", with(1, 1e6f));
  expect_map_refused("beyond any number", with(1, 3e9f));
  expect_map_refused("far before", with(1, -3e38f));
  expect_map_refused("no such column", with(0, 1000));
  expect_map_refused("no such column at all", with(0, 3e9f));
}

TEST(DualText, TreesMustHaveAsManyNodesAsTheySay) {
  for (const std::int64_t size :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 20, std::int64_t{1} << 62, INT64_MAX})
    expect_map_refused("size", [&](Json& map) { map["steps"]["sizes"][0] = size; });
  expect_map_refused("fewer trees", [](Json& map) { map["steps"]["sizes"].erase(0); });
  expect_map_refused("more trees", [](Json& map) { map["steps"]["sizes"].push_back(1); });
  expect_map_refused("cut off", [](Json& map) {
    change_nodes(map, [](auto& values) { values.resize(values.size() - 3); });
  });
}

TEST(DualText, WidthsTimesAndTapsMustBePossible) {
  for (const std::int64_t taps : {std::int64_t{0}, std::int64_t{-9}, INT64_MAX})
    expect_map_refused("taps", [&](Json& map) { map["taps"] = taps; });
  expect_map_refused("width", [](Json& map) {
    change_doubles(map["timed"], [](auto& values) { values[0] = 1e300; });
  });
  for (const double bad : {0.0, -1e-3})
    expect_map_refused("time", [&](Json& map) {
      change_doubles(map["timed"], [&](auto& values) { values.back() = bad; });
    });
}

TEST(DualText, AMapOfAnotherKindIsNoticedWhenItIsAsked) {
  const Model network = draw_networks("cnn5", 1, 4321)[0];
  DualText text = written();
  std::string constant;
  for (const auto& [kind, map] : written().maps)
    if (parse_with_long_texts(map, "map")["low"].size() != map_json()["low"].size()) constant = map;
  ASSERT_FALSE(constant.empty());
  text.maps.at(kind_with_trees()) = constant;
  const SharedDualModel model = parse_dual(text);
  EXPECT_THROW(ask(*model, network), Error);
}

// Whatever a changed byte does, the text is read or refused, and what was read can be asked.
TEST(DualText, AnyDamageIsReadOrRefused) {
  std::mt19937_64 random(1);
  const Model network = draw_networks("cnn5", 1, 4321)[0];
  const std::string kind = kind_with_trees();
  int refused = 0;
  for (int i = 0; i < 100; ++i) {
    DualText text = written();
    std::string& victim = i % 2 == 0 ? text.laws : text.maps.at(kind);
    victim[random() % victim.size()] = static_cast<char>(random() % 127 + 1);
    try {
      ask(*parse_dual(text), network);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace ampere
