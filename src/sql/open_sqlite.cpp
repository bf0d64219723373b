#include <fmt/format.h>

#include <filesystem>

#include "ampere/error.h"
#include "sql/sqlite_database.h"
#include "sql/sqlite_file.h"

namespace ampere {
namespace {

std::string absolute_path(const std::string& path) {
  std::error_code error;
  std::string file = std::filesystem::absolute(path, error).string();
  if (error)
    throw Error(ErrorCode::usage,
                fmt::format("{}: the current folder is gone: {}", path, error.message()));
  return file;
}

std::unique_ptr<SqlDatabase> open_for_writing(const std::string& path, FileState state,
                                              const StoreWait& wait) {
  if (state == FileState::absent) make_parent_folders(path);
  auto database = open_sqlite_file(path, SqliteMode::write, wait);
  // Before anything else, so that the mark is in the file itself from its first page on.
  if (state != FileState::store)
    database->execute(fmt::format("PRAGMA application_id = {}", kApplicationId));
  return database;
}

[[noreturn]] void refuse_network(const std::string& path, const std::string& network,
                                 const char* what) {
  throw Error(ErrorCode::usage,
              fmt::format("{}: is on {}, a network file system, {}: choose a file on a local disk, "
                          "or the database of a server",
                          path, network, what),
              Remedy::server_store);
}

void require_local(const std::string& path, const FileSystemOf& system_of) {
  if (const auto network = network_name(system_of(path)))
    refuse_network(path, *network, "where the write-ahead log of SQLite would damage it");
}

std::unique_ptr<SqlDatabase> open_for_reading(const std::string& path, const StoreWait& wait,
                                              const FileSystemOf& system_of) {
  if (const auto network = network_name(system_of(path))) {
    if (needs_recovery(path) || has_log(path))
      refuse_network(path, *network, "and a program that writes it has it open or died");
    return open_sqlite_file(path, SqliteMode::read_immutable, wait);
  }
  // A transaction makes the file whole again, even an empty one.
  if (needs_recovery(path)) open_for_writing(path, FileState::store, wait)->atomically([] {});
  return open_sqlite_file(
      path, read_mode(path) == ReadMode::shared ? SqliteMode::read : SqliteMode::read_immutable,
      wait);
}

}  // namespace

void check_sqlite_can_be_written(const std::string& path, const FileSystemOf& system_of) {
  const std::string file = absolute_path(path);
  const FileState state = inspect_store_file(file);
  require_local(file, system_of);
  check_place_of_store(file, state);
}

std::unique_ptr<SqlDatabase> open_sqlite(const std::string& path, Access access,
                                         const StoreWait& wait, const FileSystemOf& system_of) {
  const std::string file = absolute_path(path);
  const FileState state = inspect_store_file(file);
  if (access == Access::write) {
    require_local(file, system_of);
    return open_for_writing(file, state, wait);
  }
  if (state != FileState::store)
    throw Error(ErrorCode::unknown, fmt::format("no store at {}: profile a network first", file),
                Remedy::profile);
  return open_for_reading(file, wait, system_of);
}

}  // namespace ampere
