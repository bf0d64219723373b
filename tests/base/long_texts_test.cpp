#include "base/long_texts.h"

#include <gtest/gtest.h>

#include "ampere/error.h"

namespace ampere {
namespace {

const std::string kLongText(300, 'x');

TEST(LongTexts, AreReadBackAsTheyWere) {
  const Json json{{"a", kLongText}, {"b", {1, "short", {{"c", kLongText + "y"}}}}, {"d", nullptr}};
  EXPECT_EQ(parse_with_long_texts(dump_with_long_texts(json), "text"), json);
}

TEST(LongTexts, StandBelowTheJson) {
  EXPECT_EQ(dump_with_long_texts({{"a", kLongText}, {"b", "short"}}),
            R"({"a":{"line":1},"b":"short"})"
            "\n" +
                kLongText);
}

TEST(LongTexts, WithLineBreaksStayInside) {
  const Json json{{"a", kLongText + "\n"}};
  EXPECT_EQ(dump_with_long_texts(json), json.dump());
  EXPECT_EQ(parse_with_long_texts(json.dump(), "text"), json);
}

TEST(LongTexts, PlainJsonIsReadToo) {
  const Json json{{"a", kLongText}, {"lines", {{"line", 1}, {"other", 2}}}};
  EXPECT_EQ(parse_with_long_texts(json.dump(), "text"), json);
}

TEST(LongTexts, ALineThatIsNotThereIsRefused) {
  for (const char* text :
       {R"({"a":{"line":1}})", "{\"a\":{\"line\":0}}\nx", "{\"a\":{\"line\":-1}}\nx",
        "{\"a\":{\"line\":\"1\"}}\nx", "{\"a\":{\"line\":1.5}}\nx",
        "{\"a\":{\"line\":18446744073709551615}}\nx", "", "\n", "no json\nx"})
    EXPECT_THROW(parse_with_long_texts(text, "text"), Error) << text;
}

}  // namespace
}  // namespace ampere
