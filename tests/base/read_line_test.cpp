#include "base/read_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "ampere/error.h"

namespace ampere {
namespace {

TEST(ReadLine, ReadsWhatGetlineReads) {
  for (const std::string text : {"", "\n", "a", "a\n", "a\n\nb", "\n\n", "a\r\nb\n"}) {
    std::istringstream ours(text), theirs(text);
    std::vector<std::string> read, expected;
    for (std::string line; read_line(ours, line, "test");) read.push_back(line);
    for (std::string line; std::getline(theirs, line);) expected.push_back(line);
    EXPECT_EQ(read, expected) << text;
  }
}

TEST(ReadLine, RefusesALineThatIsTooLong) {
  std::istringstream in("12345\n123456\n");
  std::string line;
  EXPECT_TRUE(read_line(in, line, "some file", 5));
  try {
    read_line(in, line, "some file", 5);
    FAIL() << line;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), testing::StartsWith("some file: a line is longer than 5 bytes"));
  }
}

}  // namespace
}  // namespace ampere
