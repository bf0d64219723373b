#include "base/read_file.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "ampere/error.h"

namespace ampere {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

[[noreturn]] void fail_to_read(const std::string& path, int reason) {
  throw Error(ErrorCode::usage, fmt::format("{}: cannot be read: {}", path, std::strerror(reason)));
}

}  // namespace

std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kMegabyte = 1 << 20;
  return bytes % kMegabyte == 0 ? fmt::format("{} MiB", bytes / kMegabyte)
                                : fmt::format("{} bytes", bytes);
}

// Piece by piece, not by the size that the system tells: devices, pipes and /proc have none.
std::string read_file(const std::string& path, std::uint64_t most) {
  if (std::filesystem::is_directory(path))
    throw Error(ErrorCode::usage, fmt::format("{}: is a folder, not a file", path));
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rbe"));
  if (!file) fail_to_read(path, errno);
  std::string text;
  std::array<char, 1 << 16> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    if (text.size() + got > most)
      throw Error(ErrorCode::usage, fmt::format("{}: is larger than {}, the most that is read",
                                                path, size_text(most)));
    text.append(buffer.data(), got);
  }
  if (std::ferror(file.get()) != 0) fail_to_read(path, errno);
  return text;
}

}  // namespace ampere
