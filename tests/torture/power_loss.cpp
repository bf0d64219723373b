// Preloaded into a process whose machine is to lose power: writes a log of all that the process
// writes below POWER_LOSS_FOLDER and of what it syncs, to the file POWER_LOSS_LOG. torture.py kills
// the process and then takes back, by this log, what no sync has made durable. Names of files
// (creating, renaming, removing) are taken to be durable at once.
//
// A record is one line of text, "W path offset old-size new-size" with the old and the new bytes
// after it, "T path length old-size" with the bytes cut off, or "S path".
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

namespace {

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

using Pwrite = ssize_t(int, const void*, size_t, off_t);
using Write = ssize_t(int, const void*, size_t);
using Truncate = int(int, off_t);
using Sync = int(int);

std::recursive_mutex mutex;

// Empty for files that are not looked at.
std::string path_of(int fd) {
  static const char* const folder = std::getenv("POWER_LOSS_FOLDER");
  if (folder == nullptr) return "";
  char path[4096];
  const ssize_t size = readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), path, sizeof path);
  if (size <= 0) return "";
  const std::string found(path, static_cast<size_t>(size));
  return found.starts_with(folder) ? found : "";
}

void record(const std::string& line, const std::string& bytes = "") {
  static const int log =
      open(std::getenv("POWER_LOSS_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const std::string text = line + "\n" + bytes;
  static auto* const real = next<Write>("write");
  if (real(log, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::abort();
}

std::string bytes_at(const std::string& path, off_t offset, size_t size) {
  std::string bytes(size, '\0');
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const ssize_t got = fd < 0 ? 0 : pread(fd, bytes.data(), size, offset);
  if (fd >= 0) close(fd);
  bytes.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return bytes;
}

void record_write(const std::string& path, const void* data, size_t size, off_t offset) {
  const std::string old = bytes_at(path, offset, size);
  struct stat status {};
  stat(path.c_str(), &status);
  record("W " + path + " " + std::to_string(offset) + " " + std::to_string(old.size()) + " " +
             std::to_string(size) + " " + std::to_string(status.st_size),
         old + std::string(static_cast<const char*>(data), size));
}

ssize_t write_at(int fd, const void* data, size_t size, off_t offset, const char* name) {
  const std::lock_guard lock(mutex);
  if (const std::string path = path_of(fd); !path.empty()) record_write(path, data, size, offset);
  return next<Pwrite>(name)(fd, data, size, offset);
}

int truncate_to(int fd, off_t length, const char* name) {
  const std::lock_guard lock(mutex);
  if (const std::string path = path_of(fd); !path.empty()) {
    struct stat status {};
    fstat(fd, &status);
    const std::string cut =
        status.st_size > length
            ? bytes_at(path, length, static_cast<size_t>(status.st_size - length))
            : "";
    record("T " + path + " " + std::to_string(length) + " " + std::to_string(cut.size()) + " 0 " +
               std::to_string(status.st_size),
           cut);
  }
  return next<Truncate>(name)(fd, length);
}

int sync_of(int fd, const char* name) {
  const std::lock_guard lock(mutex);
  const int result = next<Sync>(name)(fd);
  if (const std::string path = path_of(fd); result == 0 && !path.empty()) record("S " + path);
  return result;
}

}  // namespace

extern "C" {

ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
  return write_at(fd, data, size, offset, "pwrite");
}
ssize_t pwrite64(int fd, const void* data, size_t size, off64_t offset) {
  return write_at(fd, data, size, offset, "pwrite64");
}
ssize_t write(int fd, const void* data, size_t size) {
  const std::lock_guard lock(mutex);
  if (const std::string path = path_of(fd); !path.empty()) {
    const bool at_end = (fcntl(fd, F_GETFL) & O_APPEND) != 0;
    record_write(path, data, size, lseek(fd, 0, at_end ? SEEK_END : SEEK_CUR));
  }
  return next<Write>("write")(fd, data, size);
}
int ftruncate(int fd, off_t length) { return truncate_to(fd, length, "ftruncate"); }
int ftruncate64(int fd, off64_t length) { return truncate_to(fd, length, "ftruncate64"); }
int fsync(int fd) { return sync_of(fd, "fsync"); }
int fdatasync(int fd) { return sync_of(fd, "fdatasync"); }

}  // extern "C"
