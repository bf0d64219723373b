#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "ampere/error.h"
#include "base/text.h"
#include "record/training_json.h"

namespace ampere {
namespace {

constexpr int kVersion = 1;

[[noreturn]] void fail_writing(const std::string& path) {
  const bool refused = errno == EACCES || errno == EPERM || errno == EROFS;
  const bool nowhere = errno == ENOENT || errno == ENOTDIR || errno == EISDIR;
  throw Error(refused   ? ErrorCode::permission
              : nowhere ? ErrorCode::usage
                        : ErrorCode::failed,
              fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

class OpenFile {
 public:
  OpenFile(std::string path, int flags) : path_(std::move(path)) {
    fd_ = open(path_.c_str(), flags | O_CLOEXEC, 0666);
    if (fd_ < 0) fail_writing(path_);
  }
  ~OpenFile() {
    if (fd_ >= 0) close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  void write_all(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = write(fd_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail_writing(path_);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void sync() {
    if (fsync(fd_) != 0) fail_writing(path_);
  }

 private:
  std::string path_;
  int fd_ = -1;
};

// On disk in full before it takes the old one's place; and the new name on disk as well.
void replace_file(const std::string& path, const std::string& text) {
  const std::string fresh = fmt::format("{}.{}.tmp", path, getpid());
  try {
    OpenFile file(fresh, O_WRONLY | O_CREAT | O_TRUNC);
    file.write_all(text);
    file.sync();
    if (rename(fresh.c_str(), path.c_str()) != 0) fail_writing(path);
  } catch (const Error&) {
    unlink(fresh.c_str());
    throw;
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  OpenFile(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY).sync();
}

}  // namespace

std::string to_text(const TrainingState& state) {
  return Json{{"ampere_training", kVersion}, {"state", training_state_json(state)}}.dump();
}

TrainingState parse_training_state(std::string_view text, const std::string& origin) {
  const Json json = parse_json(text, origin);
  const JsonField file(json, origin + ": ");
  if (!file.has("ampere_training"))
    file.fail("is no training state: \"ampere_training\" is missing");
  if (file.at("ampere_training").integer() != kVersion)
    file.at("ampere_training").fail("is from another version of the program");
  return read_training_state(file.at("state"));
}

void save_training(const std::string& path, const TrainingState& state) {
  replace_file(path, to_text(state));
}

TrainingState load_training(const std::string& path) {
  std::error_code unreachable;
  if (!std::filesystem::exists(path, unreachable))
    throw Error(ErrorCode::unknown, fmt::format("{}: there is no such training state", path));
  return parse_training_state(read_text_file(path), path);
}

}  // namespace ampere
