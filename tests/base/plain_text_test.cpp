#include "base/plain_text.h"

#include <gtest/gtest.h>

namespace ampere {
namespace {

TEST(PlainText, LeavesOrdinaryTextAlone) {
  for (const char* text : {"", "Xavier NX", "µJ · 12 °C", "電力", "\xF0\x9F\x94\x8B"}) {
    EXPECT_EQ(plain_text(text), text);
    EXPECT_EQ(text_fault(text), "");
  }
}

TEST(PlainText, NeitherEscapesNorControlsOfTheSecondKindPass) {
  EXPECT_EQ(plain_text("a\x1b[31mb"), "a\xEF\xBF\xBD[31mb");
  EXPECT_EQ(plain_text("a\xC2\x9B"
                       "31mb"),
            "a\xEF\xBF\xBD"
            "31mb");  // CSI in one character
  EXPECT_EQ(plain_text(std::string_view("\0\x7f", 2)), "\xEF\xBF\xBD\xEF\xBF\xBD");
  for (const char* text : {"\x1b", "a\nb", "a\tb", "\x7f", "\xC2\x80"})
    EXPECT_EQ(text_fault(text), "contains a control character");
}

TEST(PlainText, BytesThatAreNotUtf8AreReplacedOneByOne) {
  // A lone byte, a character cut off, an overlong slash, a surrogate, beyond the last code point.
  for (const char* text : {"\xff", "\xC3", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80",
                           "\xF4\x90\x80\x80", "\xF0\x9F\x94"}) {
    EXPECT_EQ(text_fault(text), "is not UTF-8 text");
    EXPECT_EQ(text_fault(plain_text(text)), "");
  }
  EXPECT_EQ(plain_text("a\xff"
                       "b"),
            "a\xEF\xBF\xBD"
            "b");
}

TEST(PlainText, OfSeveralLinesKeepsThem) {
  EXPECT_EQ(plain_lines("one\n\ttwo\r\x1b"), "one\n\ttwo\xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace ampere
