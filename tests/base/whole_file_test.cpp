#include "base/whole_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "../support/temp_folder.h"
#include "ampere/error.h"
#include "base/text.h"

namespace ampere {
namespace {

using testing_support::TempFolder;

ErrorCode refused(const std::string& where) {
  try {
    write_whole_file(where, "text");
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(where), std::string::npos) << error.what();
    return error.code();
  }
  ADD_FAILURE() << where << " was written";
  return ErrorCode::failed;
}

TEST(WholeFile, TakesThePlaceOfTheOldOne) {
  const TempFolder folder;
  write_whole_file(folder / "a", "old and longer");
  write_whole_file(folder / "a", "new");
  EXPECT_EQ(read_text_file(folder / "a"), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1)
      << "nothing else is left behind";
}

TEST(WholeFile, TakesThePlaceOfALinkAndLeavesWhatItLedTo) {
  const TempFolder folder;
  write_whole_file(folder / "file", "kept");
  std::filesystem::create_symlink("file", folder / "link");
  check_whole_file(folder / "link");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link")) << "looking changes nothing";
  write_whole_file(folder / "link", "new");
  EXPECT_EQ(read_text_file(folder / "file"), "kept");
  EXPECT_EQ(read_text_file(folder / "link"), "new");
}

// Where standard output is redirected, this leads to a plain file.
TEST(WholeFile, DoesNotTakeThePlaceOfNamesOfTheSystem) {
  for (const char* name : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/new"})
    EXPECT_THROW(check_whole_file(name), Error) << name;
}

TEST(WholeFile, IsRefusedWhereItCannotBe) {
  const TempFolder folder;
  EXPECT_EQ(refused(folder / "no/such/folder/a"), ErrorCode::usage);
  EXPECT_EQ(refused(folder.path()), ErrorCode::usage);
  EXPECT_EQ(refused("/dev/full"), ErrorCode::usage) << "a device does not give way to a file";
}

}  // namespace
}  // namespace ampere
