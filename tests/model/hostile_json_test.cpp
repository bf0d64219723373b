#include <gtest/gtest.h>

#include <random>

#include "ampere/widths.h"
#include "every_op.h"

namespace ampere {
namespace {

// Loads and can be worked with, or says why not; anything else is a fault.
bool loads(const std::string& text) {
  try {
    const Model model = parse_model(text, "hostile.json");
    std::vector<std::int64_t> widths;
    for (const ChannelGroup& group : free_widths(model)) widths.push_back(group.value);
    EXPECT_EQ(to_json(with_widths(model, widths)), to_json(model));
    EXPECT_GE(count(model, 1).parameters, 0);
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
    return false;
  }
}

TEST(HostileModelJson, DeepNestingIsRefused) {
  constexpr int kDepth = 100'000;
  std::string open, close;
  for (int i = 0; i < kDepth; ++i) {
    open += "[";
    close += "]";
  }
  EXPECT_FALSE(loads(open));
  EXPECT_FALSE(loads(open + close));
  EXPECT_FALSE(loads("{\"layers\": " + open + close + "}"));
  EXPECT_FALSE(loads("{\"layers\": [{\"op\": \"relu\", \"inputs\": " + open + close + "}]}"));
}

TEST(HostileModelJson, HugeNumbersAreRefused) {
  for (const char* number : {"9223372036854775807", "9223372036854775808", "1e300", "-1",
                             "99999999999999999999999999", "16777217", "0"})
    EXPECT_FALSE(
        loads(std::string(R"({"layers": [{"op": "input", "layout": "image", "channels": )") +
              number + R"(, "extent": [8, 8]}]})"))
        << number;
}

TEST(HostileModelJson, HugeExtentsAreRefused) {
  EXPECT_FALSE(loads(R"({"layers": [{"op": "input", "layout": "image", "channels": 16000000,
                         "extent": [16000000, 16000000]}]})"));
  EXPECT_FALSE(loads(R"({"layers": [{"op": "input", "layout": "line", "channels": 1,
                         "extent": [8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8]}]})"));
}

TEST(HostileModelJson, BrokenTextIsRefused) {
  EXPECT_FALSE(loads("{\"name\": \"\xff\xfe\", \"layers\": []}"));
  EXPECT_FALSE(loads(std::string("\0\0\0", 3)));
  EXPECT_FALSE(loads("null"));
  EXPECT_FALSE(loads("NaN"));
}

TEST(HostileModelJson, TruncatedFilesAreRefused) {
  for (const Model& model : {every_op(), further_ops(), language_ops(), table_ops()}) {
    const std::string whole = to_json(model);
    for (std::size_t length = 0; length < whole.size(); length += 13)
      EXPECT_FALSE(loads(whole.substr(0, length))) << length;
  }
}

class MutatedModelJson : public testing::TestWithParam<unsigned> {};

// Changed bytes, digits and words, so that many mutants are still JSON and go deep.
std::string mutate(std::string text, std::mt19937& random) {
  static const std::vector<std::string> kPieces{
      "0", "-1", "4294967296", "9223372036854775807", "null", "[]", "{}", "\"\"", "true", "1e9"};
  const std::size_t changes = 1 + random() % 3;
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t at = random() % text.size();
    if (const std::size_t digit = text.find_first_of("0123456789", at);
        random() % 3 == 0 && digit != std::string::npos)
      text.replace(digit, 1, kPieces[random() % kPieces.size()]);
    else if (random() % 2 == 0)
      text[at] = static_cast<char>(random() % 256);
    else
      text.erase(at, 1 + random() % 20);
  }
  return text;
}

TEST_P(MutatedModelJson, LoadsOrIsRefused) {
  std::mt19937 random(GetParam());
  for (const Model& model : {every_op(), further_ops(), language_ops(), table_ops()}) {
    const std::string whole = to_json(model);
    int loaded = 0;
    for (int i = 0; i < 300; ++i) loaded += loads(mutate(whole, random));
    EXPECT_LT(loaded, 300);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MutatedModelJson, testing::Range(1u, 6u));

TEST(HostileModelJson, NamesWithControlCharactersAreRefused) {
  const auto text = [](const std::string& name, const std::string& layer,
                       const std::string& module) {
    return R"({"name": ")" + name +
           R"(", "layers": [{"op": "input", "layout": "flat", "channels": 4, "name": ")" + layer +
           R"("}, {"op": "linear", "out_features": 2, "module": ")" + module + R"("}]})";
  };
  EXPECT_TRUE(loads(text("net", "x", "m")));
  const std::string escape = R"(a\u001b[31m)";
  for (const std::string& wrong :
       {text(escape, "x", "m"), text("net", escape, "m"), text("net", "x", escape)})
    try {
      parse_model(wrong, "hostile.json");
      FAIL() << wrong;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("contains a control character"), std::string::npos)
          << error.what();
    }
}

}  // namespace
}  // namespace ampere
