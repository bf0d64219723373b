#include "sql/sqlite_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "ampere/error.h"
#include "sql/sqlite_database.h"

namespace ampere {
namespace {

namespace fs = std::filesystem;

// The SQLite file format: 100 bytes that begin with a magic text.
constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::size_t kPageSizeOffset = 16;
constexpr std::size_t kReadVersionOffset = 19;
constexpr std::size_t kApplicationIdOffset = 68;
constexpr char kWalVersion = 2;
constexpr std::size_t kHeaderSize = 100;

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error(ErrorCode::usage, fmt::format("{}: {}", path, what));
}

std::uint32_t big_endian(const std::string& header, std::size_t offset, std::size_t bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = offset; i < offset + bytes; ++i)
    value = value << 8 | static_cast<unsigned char>(header[i]);
  return value;
}

std::uint32_t page_size(const std::string& header) {
  const std::uint32_t stored = big_endian(header, kPageSizeOffset, 2);
  return stored <= 1 ? 65536 : stored;  // which does not fit two bytes
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

ErrorCode code_of(const std::error_code& error) {
  if (error == std::errc::not_a_directory || error == std::errc::file_exists ||
      error == std::errc::filename_too_long || error == std::errc::too_many_symbolic_link_levels)
    return ErrorCode::usage;
  if (error == std::errc::no_space_on_device || error == std::errc::io_error)
    return ErrorCode::failed;
  return ErrorCode::permission;
}

std::string folder_of(const std::string& path) { return fs::path(path).parent_path().string(); }

[[noreturn]] void fail_to_write(const std::string& path, const std::error_code& error) {
  throw Error(code_of(error),
              fmt::format("{}: a store cannot be written there: {}", path, error.message()));
}

}  // namespace

FileState inspect_store_file(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none)
    throw Error(code_of(error), fmt::format("{}: cannot be opened: {}", path, error.message()));
  if (status.type() == fs::file_type::directory || path.ends_with('/'))
    refuse(path, "is a folder: a store is a file, for example 'ampere.db' in it");
  if (status.type() == fs::file_type::not_found) return FileState::absent;
  if (status.type() != fs::file_type::regular) refuse(path, "is not a regular file");
  const std::uintmax_t size = fs::file_size(path, error);
  if (!error && size == 0) return FileState::empty;
  const std::string header = read_file_start(path, kHeaderSize);
  if (size < kHeaderSize || !header.starts_with(kMagic))
    refuse(path, "is not a store of ampere (not an SQLite database): choose another file");
  if (big_endian(header, kApplicationIdOffset, 4) != kApplicationId)
    refuse(path, "is a database of another program, not a store of ampere: choose another file");
  if (size % page_size(header) != 0 && !exists(path + "-wal") && !needs_recovery(path))
    refuse(path,
           "the store is damaged: its end is missing: restore a copy, or move it away to "
           "begin a new one");
  return FileState::store;
}

void make_parent_folders(const std::string& path) {
  const std::string folder = folder_of(path);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw Error(code_of(error), fmt::format("{}: the folder cannot be made: {}: choose another "
                                            "place for the store",
                                            folder, error.message()));
}

void check_place_of_store(const std::string& path, FileState state) {
  if (state != FileState::absent && ::access(path.c_str(), W_OK) != 0)
    fail_to_write(path, std::error_code(errno, std::generic_category()));
  fs::path folder = folder_of(path);
  std::error_code error;
  while (!fs::exists(folder, error) && !error && folder.has_relative_path())
    folder = folder.parent_path();
  if (!error && !fs::is_directory(folder, error) && !error)
    error = std::make_error_code(std::errc::not_a_directory);
  if (error) fail_to_write(path, error);
  std::string trial = (folder / ".ampere-XXXXXX").string();
  if (::mkdtemp(trial.data()) == nullptr)
    fail_to_write(path, std::error_code(errno, std::generic_category()));
  ::rmdir(trial.c_str());
}

bool needs_recovery(const std::string& path) { return exists(path + "-journal"); }

bool has_log(const std::string& path) {
  std::error_code ignored;
  return exists(path + "-wal") && fs::file_size(path + "-wal", ignored) != 0;
}

ReadMode read_mode(const std::string& path) {
  const bool wal = read_file_start(path, kHeaderSize)[kReadVersionOffset] == kWalVersion;
  if (!wal || access(folder_of(path).c_str(), W_OK) == 0) return ReadMode::shared;
  const std::string log = path + "-wal";
  if (exists(log) && exists(path + "-shm")) return ReadMode::shared;
  if (!has_log(path)) return ReadMode::immutable;
  throw Error(ErrorCode::permission,
              fmt::format("{}: {} holds changes that only a writer can merge, and the folder is "
                          "read-only: open the store once where it can be written",
                          path, log));
}

}  // namespace ampere
