#include "base/read_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "ampere/error.h"

namespace ampere {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string refusal(const std::string& path, std::uint64_t most) try {
  read_file(path, most);
  return "";
} catch (const Error& error) {
  EXPECT_EQ(error.code(), ErrorCode::usage);
  return error.what();
}

TEST(ReadFile, StopsAtItsLimit) {
  const std::string path = testing::TempDir() + "read_file_test.txt";
  std::ofstream(path) << "12345";
  EXPECT_EQ(read_file(path, 5), "12345");
  EXPECT_EQ(refusal(path, 4), path + ": is larger than 4 bytes, the most that is read");
  std::filesystem::remove(path);
}

TEST(ReadFile, EndsWithADeviceThatDoesNot) {
  EXPECT_THAT(refusal("/dev/zero", 1 << 20), AllOf(HasSubstr("/dev/zero"), HasSubstr("1 MiB")));
}

TEST(ReadFile, ReadsWhatHasNoSize) {
  EXPECT_NE(read_file("/proc/self/status", kLargestFile), "");
  EXPECT_EQ(read_file("/dev/null", 0), "");
}

TEST(ReadFile, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(refusal("/", 1), "/: is a folder, not a file");
  EXPECT_THAT(refusal("/nonexistent/x", 1), HasSubstr("No such file"));
  EXPECT_THAT(refusal("/proc/self/mem", 1 << 20), HasSubstr("cannot be read"));
}

}  // namespace
}  // namespace ampere
