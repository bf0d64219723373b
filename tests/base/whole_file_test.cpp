#include "base/whole_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {
namespace {

class WholeFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("whole-file-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  ErrorCode refused(const std::string& where) const {
    try {
      write_whole_file(where, "text");
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(where), std::string::npos) << error.what();
      return error.code();
    }
    ADD_FAILURE() << where << " was written";
    return ErrorCode::failed;
  }

  std::filesystem::path folder_;
};

TEST_F(WholeFile, TakesThePlaceOfTheOldOne) {
  write_whole_file(path("a"), "old and longer");
  write_whole_file(path("a"), "new");
  EXPECT_EQ(read_text_file(path("a")), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1)
      << "nothing else is left behind";
}

TEST_F(WholeFile, IsRefusedWhereItCannotBe) {
  EXPECT_EQ(refused(path("no/such/folder/a")), ErrorCode::usage);
  EXPECT_EQ(refused(folder_.string()), ErrorCode::usage);
  EXPECT_EQ(refused("/dev/full"), ErrorCode::usage) << "a device does not give way to a file";
}

}  // namespace
}  // namespace ampere
