#include "meter/sysfs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere::sysfs {
namespace {

constexpr std::size_t kLargestFile = 4096;  // a page: what the kernel's files hold at most

[[noreturn]] void fail(const Path& path, int error) {
  const ErrorCode code = error == EACCES || error == EPERM     ? ErrorCode::permission
                         : error == ENOENT || error == ENOTDIR ? ErrorCode::no_meter
                                                               : ErrorCode::failed;
  throw Error(code, fmt::format("{}: {}", path.string(), std::strerror(error)));
}

template <class Integer>
Integer read_whole(const Path& path) {
  const std::string text = read_text(path);
  Integer value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw Error(
        ErrorCode::failed,
        fmt::format("{}: '{:.40}' is not the whole number it should hold", path.string(), text));
  return value;
}

template <class Value, class Read>
std::optional<Value> attempt(const Path& path, Read read) {
  try {
    return read(path);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// "hwmon10" as ("hwmon", 10).
std::pair<std::string_view, std::uint64_t> natural(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  std::uint64_t number = 0;
  std::from_chars(name.data() + digits, name.data() + name.size(), number);
  return {std::string_view(name).substr(0, digits), number};
}

}  // namespace

std::string read_text(const Path& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(path, errno);
  std::array<char, kLargestFile> buffer{};
  ssize_t size = 0;
  do size = read(fd, buffer.data(), buffer.size());
  while (size < 0 && errno == EINTR);
  const int error = errno;
  close(fd);
  if (size < 0) fail(path, error);
  return std::string(trim({buffer.data(), static_cast<std::size_t>(size)}));
}

std::int64_t read_integer(const Path& path) { return read_whole<std::int64_t>(path); }
std::uint64_t read_count(const Path& path) { return read_whole<std::uint64_t>(path); }

std::optional<std::string> try_text(const Path& path) {
  return attempt<std::string>(path, read_text);
}
std::optional<std::int64_t> try_integer(const Path& path) {
  return attempt<std::int64_t>(path, read_integer);
}

std::vector<std::string> list(const Path& folder, const std::string& prefix) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (std::string name = entry.path().filename(); name.starts_with(prefix))
      names.push_back(std::move(name));
  std::ranges::sort(names, [](const std::string& a, const std::string& b) {
    return natural(a) < natural(b) || (natural(a) == natural(b) && a < b);
  });
  return names;
}

}  // namespace ampere::sysfs
