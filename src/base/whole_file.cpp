#include "base/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "ampere/error.h"

namespace ampere {
namespace {

[[noreturn]] void fail(const std::string& path, int reason) {
  throw Error(write_error_code(reason),
              fmt::format("{} cannot be written: {}", path, std::strerror(reason)));
}

// The names of open files, such as /dev/stdout, lead to plain files where output is redirected, and
// must stay.
bool is_name_of_system(const std::string& path) {
  std::error_code unreachable;
  const std::string folder =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path, unreachable).parent_path(),
                                        unreachable)
          .string();
  return folder == "/dev" || folder == "/proc" || folder.starts_with("/proc/");
}

// A device or a pipe must not give way to a file.
void check_place(const std::string& path) {
  if (is_name_of_system(path))
    throw Error(
        ErrorCode::usage,
        fmt::format("{} cannot be written: it is a name of the system, and no plain file", path));
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || S_ISREG(found.st_mode)) return;
  if (S_ISDIR(found.st_mode)) fail(path, EISDIR);
  throw Error(ErrorCode::usage,
              fmt::format("{} cannot be written: it is there already, and no plain file", path));
}

// A file beside the one that is wanted; gone with this object unless it took that one's place.
class PartFile {
 public:
  explicit PartFile(const std::string& path)
      : path_(path), part_(fmt::format("{}.part{}", path, ::getpid())) {
    ::unlink(part_.c_str());  // left by another process that was killed and had our number
    descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail(path_, errno);
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!placed_) ::unlink(part_.c_str());
  }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(path_, errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void place() {
    if (::fsync(descriptor_) != 0) fail(path_, errno);
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0 || std::rename(part_.c_str(), path_.c_str()) != 0) fail(path_, errno);
    placed_ = true;
    sync_name();
  }

 private:
  // The file is on disk, and its name has to be too; where a folder cannot be synced, it will be.
  void sync_name() const {
    const std::string folder = std::filesystem::path(path_).parent_path();
    const int opened = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) return;
    ::fsync(opened);
    ::close(opened);
  }

  std::string path_, part_;
  int descriptor_ = -1;
  bool placed_ = false;
};

}  // namespace

ErrorCode write_error_code(int system_error) {
  switch (system_error) {
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorCode::permission;
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case ENAMETOOLONG:
    case ELOOP:
    case EINVAL:
      return ErrorCode::usage;
    default:
      return ErrorCode::failed;
  }
}

void check_whole_file(const std::string& path) {
  check_place(path);
  const PartFile file(path);
}

void write_whole_file(const std::string& path, std::span<const std::string_view> parts) {
  check_place(path);
  PartFile file(path);
  for (const std::string_view part : parts) file.write(part);
  file.place();
}

void write_whole_file(const std::string& path, std::string_view text) {
  write_whole_file(path, std::span(&text, 1));
}

}  // namespace ampere
