#include "meter/trace/trace_input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "ampere/error.h"
#include "base/command_words.h"
#include "meter/trace/stream_command.h"

namespace ampere {
namespace {

constexpr std::size_t kLongestLine = 4096;
constexpr Seconds kLook{0.005};  // between looks at a file that may have grown

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : fd_(open(path.c_str(), kFlags)) {
    if (fd_ >= 0) return;
    const bool refused = errno == EACCES || errno == EPERM;
    throw Error(refused ? ErrorCode::permission : ErrorCode::no_meter,
                fmt::format("{}: {}", path, std::strerror(errno)));
  }
  ~Descriptor() { close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }

 private:
  // Without O_NONBLOCK a named pipe that nobody writes to would hold the opening up.
  static constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  int fd_;
};

// 0 when there is nothing now, absent at the end.
std::optional<std::size_t> read_some(int fd, std::span<char> buffer, const std::string& name) {
  const ssize_t size = read(fd, buffer.data(), buffer.size());
  if (size > 0) return static_cast<std::size_t>(size);
  if (size == 0) return std::nullopt;
  if (errno == EAGAIN || errno == EINTR) return 0;
  throw Error(ErrorCode::failed, fmt::format("{}: {}", name, std::strerror(errno)));
}

struct stat status_of(const std::string& path, int fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0)
    throw Error(ErrorCode::failed, fmt::format("{}: {}", path, std::strerror(errno)));
  return status;
}

class File final : public TraceInput {
 public:
  File(const std::string& path, bool growing) : path_(path), growing_(growing), file_(path) {
    if (!S_ISREG(status_of(path, file_.get()).st_mode))
      throw Error(ErrorCode::usage,
                  fmt::format("{}: is not a file (stream: reads pipes and devices)", path));
  }

  std::optional<std::size_t> read(std::span<char> buffer, Seconds patience) override {
    const auto size = read_some(file_.get(), buffer, path_);
    if (size || !growing_) return size;
    const off_t here = lseek(file_.get(), 0, SEEK_CUR);
    if (status_of(path_, file_.get()).st_size < here)
      throw Error(ErrorCode::failed, fmt::format("{}: became shorter while it was read", path_));
    std::this_thread::sleep_for(std::min(patience, kLook));
    return 0;
  }

  bool live() const override { return false; }
  void rewind() override { lseek(file_.get(), 0, SEEK_SET); }

 private:
  std::string path_;
  bool growing_;
  Descriptor file_;
};

class Device final : public TraceInput {
 public:
  explicit Device(const std::string& path) : path_(path), device_(path) {}

  std::optional<std::size_t> read(std::span<char> buffer, Seconds patience) override {
    pollfd ready{device_.get(), POLLIN, 0};
    const auto timeout = static_cast<int>(patience.count() * 1000);
    if (poll(&ready, 1, timeout) <= 0) return 0;
    const auto size = read_some(device_.get(), buffer, path_);
    began_ = began_ || size.value_or(0) > 0;
    if (size || began_) return size;
    // A pipe that no one has written to yet ends only when someone did.
    std::this_thread::sleep_for(patience);
    return 0;
  }

  std::string why_ended() override { return "was closed by the one who writes to it"; }

 private:
  std::string path_;
  Descriptor device_;
  bool began_ = false;
};

class Command final : public TraceInput {
 public:
  Command(const std::string& name, const std::vector<std::string>& argv)
      : name_(name), command_(argv) {}

  std::optional<std::size_t> read(std::span<char> buffer, Seconds patience) override {
    pollfd ready{command_.output(), POLLIN, 0};
    const auto timeout = static_cast<int>(patience.count() * 1000);
    if (poll(&ready, 1, timeout) <= 0) return 0;
    return read_some(command_.output(), buffer, name_);
  }

  std::string why_ended() override { return command_.how_it_ended(); }

 private:
  std::string name_;
  StreamCommand command_;
};

}  // namespace

std::unique_ptr<TraceInput> open_growing_file(const std::string& path) {
  return std::make_unique<File>(path, true);
}

std::unique_ptr<TraceInput> open_finished_file(const std::string& path) {
  return std::make_unique<File>(path, false);
}

std::unique_ptr<TraceInput> open_stream(const std::string& source) {
  struct stat status {};
  if (stat(source.c_str(), &status) != 0)
    return std::make_unique<Command>(source,
                                     command_words(source, fmt::format("stream '{}'", source)));
  if (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode)) return std::make_unique<Device>(source);
  if (S_ISREG(status.st_mode) && (status.st_mode & 0111) != 0)
    return std::make_unique<Command>(source, std::vector{source});
  throw Error(
      ErrorCode::usage,
      fmt::format("{}: neither a pipe, nor a device, nor a command (trace: reads files)", source));
}

void LineCutter::keep(std::string_view bytes) {
  if (rest_.size() + bytes.size() > kLongestLine)
    throw Error(ErrorCode::usage,
                fmt::format("a line has more than {} characters: this is no trace", kLongestLine));
  rest_ += bytes;
}

}  // namespace ampere
