// Files that are stores, will be stores, or must be left alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <random>

#include "samples.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

void make_filled_store(const std::string& path) {
  const auto store = open_store("sqlite:" + path);
  const std::int64_t profile = open_sample_profile(*store);
  for (int i = 0; i < 10; ++i) store->add(profile, sample_observation("conv", 1 + i));
  store->put_fit(profile, {"conv", std::string(5000, 'f')});
}

void read_everything(const std::string& path, Access access) {
  const auto store = open_store("sqlite:" + path, access);
  for (const ProfileRow& row : store->profiles()) {
    store->find(all_of(row.id));
    store->find({.profile = row.id, .purpose = Purpose::variant, .kind = "conv"});
    store->fits(row.id);
  }
}

// Refused with Error(usage) for reading and for writing, and not a byte is changed.
void expect_refused_untouched(const std::string& path) {
  const std::string before = bytes_of(path);
  for (const Access access : {Access::read, Access::write}) {
    const Thrown thrown = thrown_by([&] { read_everything(path, access); });
    EXPECT_EQ(thrown.code, ErrorCode::usage) << thrown.message;
    EXPECT_THAT(thrown.message, HasSubstr(path));
  }
  EXPECT_EQ(bytes_of(path), before);
}

TEST(SqliteFile, LastsLongerThanTheObject) {
  const TempFolder folder;
  make_filled_store(folder / "store.db");
  const auto store = open_store("sqlite:" + (folder / "store.db"));
  ASSERT_THAT(store->profiles(), SizeIs(1));
  EXPECT_THAT(store->find(all_of(store->profiles()[0].id)), SizeIs(10));
}

TEST(SqliteFile, MakesParentFolders) {
  const TempFolder folder;
  open_sample_profile(*open_store("sqlite:" + (folder / "a/b c/ü%20?x#y/store.db")));
  EXPECT_TRUE(std::filesystem::exists(folder / "a/b c/ü%20?x#y/store.db"));
}

TEST(SqliteFile, TakesNamesThatMeanSomethingToSqliteAsNames) {
  const TempFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (const char* name : {":memory:", "file:x?mode=memory"})
    open_sample_profile(*open_store(std::string("sqlite:") + name));
  std::filesystem::current_path(before);
  EXPECT_TRUE(std::filesystem::exists(folder / ":memory:"));
  EXPECT_TRUE(std::filesystem::exists(folder / "file:x?mode=memory"));
}

TEST(SqliteFile, BeginsAStoreInAnEmptyFile) {
  const TempFolder folder;
  write_bytes(folder / "store.db", "");
  make_filled_store(folder / "store.db");
  const auto store = open_store("sqlite:" + (folder / "store.db"), Access::read);
  ASSERT_EQ(store->profiles().size(), 1u);
  EXPECT_EQ(store->find(all_of(store->profiles().front().id)).size(), 10u);
}

TEST(SqliteFile, IsUnknownForReadingWhenThereIsNone) {
  const TempFolder folder;
  write_bytes(folder / "empty.db", "");
  for (const char* name : {"none.db", "no/folder/none.db", "empty.db", "empty.db/below"}) {
    const Thrown thrown = thrown_by([&] { open_store("sqlite:" + (folder / name), Access::read); });
    EXPECT_EQ(thrown.code, ErrorCode::unknown) << name;
    EXPECT_THAT(thrown.message, HasSubstr("profile a network first"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "none.db"));
  EXPECT_FALSE(std::filesystem::exists(folder / "no"));
}

TEST(SqliteFile, RefusesAFolder) {
  const TempFolder folder;
  for (const std::string& path : {folder.path(), folder.path() + "/", folder / "new/"})
    for (const Access access : {Access::read, Access::write})
      EXPECT_EQ(thrown_by([&] { open_store("sqlite:" + path, access); }).code, ErrorCode::usage);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(SqliteFile, RefusesPipesAndDevices) {
  const TempFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  for (const std::string& path : {folder / "pipe", std::string("/dev/null")})
    for (const Access access : {Access::read, Access::write})
      EXPECT_EQ(thrown_by([&] { open_store("sqlite:" + path, access); }).code, ErrorCode::usage);
}

TEST(SqliteFile, RefusesToWriteBelowAFile) {
  const TempFolder folder;
  write_bytes(folder / "file", "x");
  EXPECT_EQ(thrown_by([&] { open_store("sqlite:" + (folder / "file/store.db")); }).code,
            ErrorCode::usage);
}

TEST(SqliteFile, RefusesOtherFilesUntouched) {
  const TempFolder folder;
  const std::string magic("SQLite format 3\0", 16);
  for (const std::string& bytes :
       {std::string("x"), std::string("{\"a\": 1}\n"), std::string(100'000, '\0'), magic,
        magic + std::string(83, '\0'), magic + std::string(5000, '\xff')}) {
    write_bytes(folder / "file", bytes);
    expect_refused_untouched(folder / "file");
  }
}

TEST(SqliteFile, RefusesDatabasesOfOtherProgramsUntouched) {
  const TempFolder folder;
  run_sql(folder / "plain.db", "CREATE TABLE observation (x); INSERT INTO observation VALUES (1)");
  expect_refused_untouched(folder / "plain.db");
  run_sql(folder / "wal.db",
          "PRAGMA journal_mode = WAL; PRAGMA application_id = 7; CREATE TABLE profile (x)");
  expect_refused_untouched(folder / "wal.db");
  EXPECT_FALSE(std::filesystem::exists(folder / "wal.db-wal"));
}

TEST(SqliteFile, RefusesATruncatedStoreUntouched) {
  const TempFolder folder;
  const std::string path = folder / "store.db";
  make_filled_store(path);
  const std::string whole = bytes_of(path);
  for (const std::size_t size : {std::size_t{50}, std::size_t{100}, std::size_t{4096},
                                 whole.size() / 2, whole.size() - 4096, whole.size() - 1}) {
    write_bytes(path, whole.substr(0, size));
    expect_refused_untouched(path);
  }
}

TEST(SqliteFile, NeverDoesMoreThanThrowOnDamage) {
  const TempFolder folder;
  const std::string path = folder / "store.db";
  make_filled_store(path);
  const std::string whole = bytes_of(path);
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 100; ++round) {
    std::string damaged = whole;
    const std::size_t begin = random() % damaged.size();
    for (std::size_t i = begin; i < std::min(begin + 64, damaged.size()); ++i)
      damaged[i] = static_cast<char>(random());
    write_bytes(path, damaged);
    try {
      read_everything(path, Access::write);
    } catch (const Error& error) {
      ++refused;
      EXPECT_THAT(error.what(), HasSubstr(path));
      EXPECT_NE(error.code(), ErrorCode::permission) << error.what();
    }
  }
  EXPECT_GT(refused, 10);
}

TEST(SqliteFile, NamesTheObservationThatCannotBeRead) {
  const TempFolder folder;
  const std::string path = folder / "store.db";
  make_filled_store(path);
  run_sql(path, "UPDATE observation SET body = '{}' WHERE id = 3");
  const Thrown thrown = thrown_by([&] { read_everything(path, Access::read); });
  EXPECT_EQ(thrown.code, ErrorCode::usage);
  EXPECT_THAT(thrown.message, HasSubstr(path + ": observation 3"));
  EXPECT_THAT(thrown.message, HasSubstr("taken_at"));
}

}  // namespace
}  // namespace ampere
