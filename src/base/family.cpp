#include "base/family.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <ctime>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/steady_now.h"

namespace ampere {
namespace {

Seconds of_ended_children() {
  rusage usage{};
  if (getrusage(RUSAGE_CHILDREN, &usage) != 0) return Seconds{0};
  const auto seconds = [](const timeval& time) -> Seconds {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Seconds of_clock(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return Seconds{0};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

Seconds of_process(pid_t pid) {
  clockid_t clock{};
  return clock_getcpuclockid(pid, &clock) == 0 ? of_clock(clock) : Seconds{0};
}

bool has_children() {
  siginfo_t info{};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

// "pid (name) state parent …": the name may contain anything, so it is skipped from the right.
pid_t parent_of(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string text;
  std::getline(file, text, '\0');
  const std::size_t name_end = text.rfind(')');
  pid_t parent = 0;
  if (name_end != std::string::npos && name_end + 4 < text.size())
    std::from_chars(text.data() + name_end + 4, text.data() + text.size(), parent);
  return parent;
}

// By parent.
std::multimap<pid_t, pid_t> all_processes() {
  std::multimap<pid_t, pid_t> children;
  DIR* folder = opendir("/proc");
  if (folder == nullptr) return children;
  while (const dirent* entry = readdir(folder)) {
    const std::string name = entry->d_name;
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc{} || end != name.data() + name.size()) continue;
    children.emplace(parent_of(name), pid);
  }
  closedir(folder);
  return children;
}

// Looking through all processes takes a while, so it is not done at every reading, and never for
// more than a hundredth of the time.
class Descendants {
 public:
  Seconds cpu_time() {
    const std::scoped_lock lock(mutex_);
    if (!has_children()) return Seconds{0};
    if (const Seconds now = steady_now(); now >= next_search_) {
      found_ = running_family();
      const Seconds taken = steady_now() - now;
      next_search_ = now + std::max(kSearchPeriod, 100 * taken);
    }
    Seconds sum{0};
    for (std::size_t i = 1; i < found_.size(); ++i) sum += of_process(found_[i]);
    return sum;
  }

 private:
  static constexpr Seconds kSearchPeriod{0.5};

  std::mutex mutex_;  // guards what follows
  std::vector<pid_t> found_;
  Seconds next_search_{0};
};

}  // namespace

std::vector<pid_t> running_family() {
  std::vector<pid_t> found{getpid()};
  if (!has_children()) return found;
  const std::multimap<pid_t, pid_t> children = all_processes();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [begin, end] = children.equal_range(found[i]);
    for (auto child = begin; child != end; ++child) found.push_back(child->second);
  }
  return found;
}

Seconds family_cpu_time() {
  static Descendants descendants;
  return of_clock(CLOCK_PROCESS_CPUTIME_ID) + of_ended_children() + descendants.cpu_time();
}

}  // namespace ampere
