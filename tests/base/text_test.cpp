#include "base/text.h"

#include <gtest/gtest.h>

#include "ampere/error.h"
#include "base/hash.h"

namespace ampere {
namespace {

TEST(Text, ReplacesEveryOccurrence) {
  EXPECT_EQ(replaced("a/b/c", "/", " per "), "a per b per c");
  EXPECT_EQ(replaced("aaa", "a", "aa"), "aaaaaa") << "what was put in is not searched again";
  EXPECT_EQ(replaced("none", "x", "y"), "none");
}

TEST(Text, SuggestsTheNearestName) {
  const std::vector<std::string> names{"lenet5", "cnn5", "transformer"};
  EXPECT_EQ(suggestion("lenet", names), "; did you mean 'lenet5'?");
  EXPECT_EQ(suggestion("transfomer", names), "; did you mean 'transformer'?");
  EXPECT_EQ(suggestion("xxxxxxxx", names), "");
  EXPECT_EQ(suggestion("cnn5", {}), "");
}

TEST(Text, NumbersAreWholeOrRefused) {
  EXPECT_EQ(parse_integer("-12", "width"), -12);
  EXPECT_THROW(parse_integer("12x", "width"), Error);
  EXPECT_THROW(parse_integer("", "width"), Error);
  EXPECT_THROW(parse_integer("99999999999999999999", "width"), Error);
  EXPECT_THROW(parse_number("nan", "price"), Error);
  EXPECT_DOUBLE_EQ(parse_number("0.5", "price"), 0.5);
}

TEST(Text, SplitsKeepingEmptyParts) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string>{""}));
}

TEST(Text, UnreadableFilesAreNamed) {
  try {
    read_text_file("/nonexistent/model.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "/nonexistent/model.json: cannot be read: No such file or directory");
  }
}

TEST(Hash, IsFnv1a) { EXPECT_EQ(hash_text("a"), "af63dc4c8601ec8c"); }

}  // namespace
}  // namespace ampere
