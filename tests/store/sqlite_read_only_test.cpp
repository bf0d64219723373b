// Stores where nothing may be written. Permission bits do not bind root, so that these claims are
// checked in a child that is not root.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "samples.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr mode_t kOpenFolder = 0755, kClosedFolder = 0555, kSharedFolder = 0777;

class SqliteReadOnly : public ::testing::Test {
 protected:
  SqliteReadOnly() : path_(folder_ / "store #1?.db") {
    const auto store = open_store("sqlite:" + path_);
    store->add(open_sample_profile(*store), sample_observation());
  }
  ~SqliteReadOnly() override { chmod(folder_.path().c_str(), kOpenFolder); }

  void close_folder() {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      chmod(entry.path().c_str(), 0444);
    chmod(folder_.path().c_str(), kClosedFolder);
  }

  void add_failure_and_pause(int out) {
    const auto store = open_store("sqlite:" + path_);
    store->add(open_sample_profile(*store), sample_failure());
    if (write(out, ".", 1) == 1) pause();
  }

  std::string count_observations() {
    return in_unprivileged_child([&] {
      const auto store = open_store("sqlite:" + path_, Access::read);
      const std::int64_t id = store->profiles().at(0).id;
      return std::to_string(store->find({.profile = id}).size());
    });
  }

  std::string open_for_writing(const std::string& path) {
    return in_unprivileged_child([&]() -> std::string {
      const auto store = open_store("sqlite:" + path);
      store->open_profile(sample_device("another"), sample_setup(), "local");
      return "written";
    });
  }

  TempFolder folder_;
  std::string path_;
};

TEST_F(SqliteReadOnly, IsReadInAReadOnlyFolder) {
  close_folder();
  EXPECT_EQ(count_observations(), "1");
}

TEST_F(SqliteReadOnly, IsReadInAReadOnlyFolderWithTheLogOfAnOpenStore) {
  Worker writer([&](int out) { add_failure_and_pause(out); });
  ASSERT_EQ(writer.read(1), ".");
  close_folder();
  EXPECT_EQ(count_observations(), "2");
}

TEST_F(SqliteReadOnly, IsReadInAReadOnlyFolderWithAnEmptyLog) {
  write_bytes(path_ + "-wal", "");
  close_folder();
  EXPECT_EQ(count_observations(), "1");
}

// A copy of a store whose writer died, without its -shm file: the log cannot be merged, and leaving
// it out would lose observations without a word.
TEST_F(SqliteReadOnly, IsRefusedWhenALogCannotBeMerged) {
  Worker writer([&](int out) { add_failure_and_pause(out); });
  ASSERT_EQ(writer.read(1), ".");
  writer.kill();
  std::filesystem::remove(path_ + "-shm");
  ASSERT_GT(std::filesystem::file_size(path_ + "-wal"), 0U);
  close_folder();
  const std::string outcome = count_observations();
  EXPECT_THAT(outcome, StartsWith("permission: "));
  EXPECT_THAT(outcome, HasSubstr("-wal"));
}

TEST_F(SqliteReadOnly, IsReadWhenOnlyTheFileIsReadOnly) {
  chmod(path_.c_str(), 0444);
  chmod(folder_.path().c_str(), kSharedFolder);
  EXPECT_EQ(count_observations(), "1");
}

TEST_F(SqliteReadOnly, IsNotWrittenInAReadOnlyFolder) {
  close_folder();
  const std::string before = bytes_of(path_);
  const std::string outcome = open_for_writing(path_);
  EXPECT_THAT(outcome, StartsWith("permission: "));
  EXPECT_THAT(outcome, HasSubstr(path_));
  EXPECT_EQ(bytes_of(path_), before);
}

TEST_F(SqliteReadOnly, IsNotWrittenWhenOnlyTheFileIsReadOnly) {
  chmod(path_.c_str(), 0444);
  chmod(folder_.path().c_str(), kSharedFolder);
  EXPECT_THAT(open_for_writing(path_), StartsWith("permission: "));
}

TEST_F(SqliteReadOnly, IsNotMadeInAReadOnlyFolder) {
  close_folder();
  EXPECT_THAT(open_for_writing(folder_ / "new.db"), StartsWith("permission: "));
  EXPECT_THAT(open_for_writing(folder_ / "sub/new.db"), StartsWith("permission: "));
}

TEST_F(SqliteReadOnly, IsNotReadWithoutPermission) {
  chmod(path_.c_str(), 0600);
  chmod(folder_.path().c_str(), kOpenFolder);
  if (geteuid() != 0) chmod(path_.c_str(), 0);
  EXPECT_THAT(count_observations(), StartsWith("permission: "));
}

TEST(SqliteReadOnlyPlaces, AreNotWrittenByRootEither) {
  for (const char* url : {"sqlite:/proc/store.db", "sqlite:/proc/folder/store.db"})
    EXPECT_EQ(thrown_by([&] { open_store(url); }).code, ErrorCode::permission) << url;
}

}  // namespace
}  // namespace ampere
