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
  throw Error(code, fmt::format("{}: {} (errno {})", path.string(), std::strerror(error), error));
}

// What a file holds may be anything: as it can stand in a message.
std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string shown(text.substr(0, kLongest));
  std::ranges::replace_if(
      shown, [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  return shown;
}

template <class Integer>
Integer read_whole(const Path& path) {
  const std::string text = read_text(path);
  Integer value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw Error(ErrorCode::failed, fmt::format("{}: '{}' is not the whole number it should hold",
                                               path.string(), printable(text)));
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

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes the digits at the front of `text`, without leading zeros.
std::string_view take_number(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

// Whether `a` comes before `b`, digits in a row being one number of any length.
bool naturally_before(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a, whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view x = take_number(a), y = take_number(b);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;  // "01" and "1" are different names
}

}  // namespace

std::string read_text(const Path& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(path, errno);
  std::array<char, kLargestFile + 1> buffer{};
  ssize_t size = 0;
  do size = read(fd, buffer.data(), buffer.size());
  while (size < 0 && errno == EINTR);
  const int error = errno;
  close(fd);
  if (size < 0) fail(path, error);
  if (static_cast<std::size_t>(size) > kLargestFile) fail(path, EFBIG);
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
std::optional<std::uint64_t> try_count(const Path& path) {
  return attempt<std::uint64_t>(path, read_count);
}

std::vector<std::string> list(const Path& folder, const std::string& prefix) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (std::string name = entry->path().filename(); name.starts_with(prefix))
      names.push_back(std::move(name));
  std::ranges::sort(names, naturally_before);
  return names;
}

}  // namespace ampere::sysfs
