#include "base/quick_json.h"

#include <gtest/gtest.h>

#include "ampere/error.h"

namespace ampere {
namespace {

const std::string kPacked(1000, 'x');

TEST(QuickJson, GivesWhatPlainParsingGives) {
  for (const Json& json :
       {Json{{"a", kPacked}, {"b", {1, "short", {{"c", kPacked + "=="}}}}},
        Json{{kPacked, kPacked}, {"a", nullptr}}, Json{{"a", kPacked + "\n"}, {"b", kPacked}},
        Json{{"a", kPacked + "\\"}, {"b", kPacked}}, Json{{"a", kPacked + "\"quoted\""}},
        Json{{"a", kPacked + "µ"}, {"b", kPacked}}, Json(kPacked), Json::array(), Json(3),
        Json{{"a", std::string(1, '\0') + "0"}, {"b", kPacked}},
        Json{{"a", ":"}, {"b", "\\\""}, {"c", kPacked}}})
    for (const int indent : {-1, 2}) {
      const std::string text = json.dump(indent);
      EXPECT_EQ(parse_json_with_packed_texts(text, "x"), parse_json(text, "x")) << text;
    }
}

TEST(QuickJson, SaysWhereTheWholeTextIsWrong) {
  const std::string good = Json{{"a", kPacked}, {"b", kPacked}}.dump();
  for (const std::string& bad :
       {good.substr(0, good.size() - 1), good.substr(0, 700), good + "}", std::string(),
        "{\"a\": \"" + kPacked + "\x01\"}", "{\"a\": \"" + kPacked + "\xff\"}",
        "{\"a\": \"" + kPacked + "\" \"b\"}"}) {
    std::string plain, quick;
    try {
      parse_json(bad, "x");
    } catch (const Error& error) {
      plain = error.what();
    }
    try {
      parse_json_with_packed_texts(bad, "x");
    } catch (const Error& error) {
      quick = error.what();
    }
    EXPECT_EQ(quick, plain);
    EXPECT_NE(plain, "");
  }
}

}  // namespace
}  // namespace ampere
