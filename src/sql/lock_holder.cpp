#include "sql/lock_holder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "base/process_name.h"

namespace ampere {
namespace {

namespace fs = std::filesystem;

bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

// Some file systems have other device numbers in /proc/locks than stat() tells, so a process counts
// whose open files include this one.
bool has_open(pid_t process, const struct stat& file) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(fmt::format("/proc/{}/fd", process), error)) {
    struct stat opened {};
    if (::stat(entry.path().c_str(), &opened) == 0 && is_same(opened, file)) return true;
  }
  return false;
}

bool is_device(const std::string& text, dev_t device) {
  char* end = nullptr;
  const unsigned long long high = std::strtoull(text.c_str(), &end, 16);
  if (*end != ':') return false;
  return major(device) == high && minor(device) == std::strtoull(end + 1, nullptr, 16);
}

// A line of /proc/locks: "3: POSIX  ADVISORY  WRITE 1234 fe:00:5678 120 120". Returns the process
// when it is another one that has locked this file for writing, else 0.
pid_t writer_in(const std::string& line, const struct stat& file) {
  std::istringstream words(line);
  std::string number, kind, sort, access, place;
  pid_t process = 0;
  words >> number >> kind >> sort >> access >> process >> place;
  if (!words || access != "WRITE" || process <= 0 || process == ::getpid()) return 0;
  const std::size_t colon = place.rfind(':');
  if (colon == std::string::npos) return 0;
  if (std::strtoull(place.c_str() + colon + 1, nullptr, 10) != file.st_ino) return 0;
  if (!is_device(place.substr(0, colon), file.st_dev) && !has_open(process, file)) return 0;
  return process;
}

}  // namespace

std::string lock_holder(const std::string& path) {
  // In WAL mode the lock of writers is on the file of the shared memory.
  for (const char* ending : {"-shm", ""}) {
    struct stat file {};
    if (::stat((path + ending).c_str(), &file) != 0) continue;
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);)
      if (const pid_t process = writer_in(line, file); process != 0) return process_name(process);
  }
  return "another process";
}

}  // namespace ampere
