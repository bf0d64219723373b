#include "base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"

namespace ampere {
namespace {

std::string complaint(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "no complaint";
}

TEST(Json, NamesFileLineAndColumnOfBrokenText) {
  EXPECT_THAT(complaint([] { parse_json("{\n  \"a\": }", "m.json"); }),
              testing::StartsWith("m.json: not valid JSON at line 2, column 8"));
}

TEST(Json, NamesThePathOfAWrongField) {
  const Json json = parse_json(R"({"layers": [{"kernel": [3, "x"]}]})", "m.json");
  const JsonField root(json, "m.json: ");
  EXPECT_EQ(complaint([&] { root.at("layers").items()[0].at("kernel").integers(); }),
            "m.json: layers[0].kernel[1]: must be a whole number");
  EXPECT_EQ(complaint([&] { root.at("name"); }), "m.json: the key \"name\" is missing");
}

TEST(Json, RefusesNumbersThatDoNotFit) {
  const Json json = parse_json(R"({"a": 18446744073709551615, "b": 1.5})", "m.json");
  const JsonField root(json, "m.json: ");
  EXPECT_EQ(complaint([&] { root.at("a").integer(); }), "m.json: a: is too large");
  EXPECT_EQ(complaint([&] { root.at("b").integer(); }), "m.json: b: must be a whole number");
}

TEST(Json, NullCountsAsAbsent) {
  const Json json = parse_json(R"({"a": null})", "m.json");
  EXPECT_EQ(JsonField(json, "m.json: ").optional_number("a"), std::nullopt);
  EXPECT_EQ(JsonField(json, "m.json: ").integer_or("a", 7), 7);
}

TEST(Json, RefusesNumbersBeyondAllDoubles) {
  EXPECT_THROW(parse_json("{\"x\": 1e999}", "big.json"), Error);
}

}  // namespace
}  // namespace ampere
