// SQLite on network file systems.
#include "sql/network_fs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "ampere/error.h"
#include "sql/sqlite_database.h"
#include "support/temp_folder.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_support::TempFolder;

FileSystem nfs(const std::string&) { return {0x6969, ""}; }

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_EQ(error.remedy(), Remedy::server_store);
    return error.what();
  }
  return "";
}

TEST(NetworkFs, IsKnownByItsMagic) {
  EXPECT_EQ(network_name({0x6969, ""}), "NFS");
  EXPECT_EQ(network_name({0xff534d42, ""}), "CIFS");
  EXPECT_EQ(network_name({0x01021997, ""}), "9p");
  EXPECT_EQ(network_name({0x0bd00bd0, ""}), "Lustre");
  EXPECT_EQ(network_name({0x47504653, ""}), "GPFS");
  EXPECT_EQ(network_name({0x19830326, ""}), "BeeGFS");
  EXPECT_EQ(network_name({0x00c36400, ""}), "CephFS");
  for (const std::uint32_t local : {0xef53U, 0x58465342U, 0x9123683eU, 0x01021994U, 0x794c7630U})
    EXPECT_EQ(network_name({local, ""}), std::nullopt);
}

TEST(NetworkFs, TellsMountsOfFuseApart) {
  EXPECT_EQ(network_name({0x65735546, "fuse.sshfs"}), "sshfs");
  EXPECT_EQ(network_name({0x65735546, "fuse.glusterfs"}), "glusterfs");
  for (const char* local : {"fuseblk", "fuse.fuse-overlayfs", "fuse", ""})
    EXPECT_EQ(network_name({0x65735546, local}), std::nullopt) << local;
}

TEST(NetworkFs, LooksAtTheNearestFolder) {
  const TempFolder folder;
  const FileSystem here = file_system_of(folder.path());
  EXPECT_NE(here.magic, 0U);
  EXPECT_EQ(file_system_of(folder / "not/there/store.db").magic, here.magic);
  EXPECT_EQ(file_system_of("/proc/self/nowhere/x").magic, 0x9fa0U);  // procfs
}

TEST(NetworkFs, IsNoPlaceToWrite) {
  const TempFolder folder;
  const std::string path = folder / "sub/store.db";
  const std::string why = refusal([&] { open_sqlite(path, Access::write, {}, nfs); });
  EXPECT_THAT(why, HasSubstr(path));
  EXPECT_THAT(why, HasSubstr("NFS"));
  EXPECT_THAT(why, HasSubstr("write-ahead log"));
  EXPECT_EQ(refusal([&] { check_sqlite_can_be_written(path, nfs); }), why);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(NetworkFs, IsReadWhileNobodyHasTheFileOpen) {
  const TempFolder folder;
  const std::string path = folder / "store.db";
  const auto count = [&] {
    const auto database = open_sqlite(path, Access::read, {}, nfs);
    const auto row = rows(*database, "SELECT count(*) FROM item");
    row->next();
    return row->integer(0);
  };
  auto writer = open_sqlite(path, Access::write, {});
  writer->atomically(
      [&] { writer->execute("CREATE TABLE item (x); INSERT INTO item VALUES (1)"); });
  EXPECT_THAT(refusal([&] { count(); }), HasSubstr("has it open"));
  writer.reset();
  EXPECT_EQ(count(), 1);
  EXPECT_FALSE(std::filesystem::exists(path + "-shm"));
  std::ofstream(path + "-journal") << "a journal";
  EXPECT_THAT(refusal([&] { count(); }), HasSubstr("died"));
}

}  // namespace
}  // namespace ampere
