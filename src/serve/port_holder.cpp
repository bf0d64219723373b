#include "serve/port_holder.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/process_name.h"

namespace ampere {
namespace {

namespace fs = std::filesystem;

// A line of /proc/net/tcp: "0: 0100007F:21C2 00000000:0000 0A 00000000:00000000 00:00000000
// 00000000 1000 0 123456 …", where 0A is the state of a listening socket and 123456 its inode.
std::string inode_in(const std::string& line, std::uint16_t port) {
  std::istringstream words(line);
  std::string number, local, remote, state, queues, timer, retries, user, timeout, inode;
  words >> number >> local >> remote >> state >> queues >> timer >> retries >> user >> timeout >>
      inode;
  const std::size_t colon = local.rfind(':');
  if (!words || state != "0A" || colon == std::string::npos) return "";
  return std::strtoul(local.c_str() + colon + 1, nullptr, 16) == port ? inode : "";
}

std::string inode_of(std::uint16_t port) {
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream file(table);
    for (std::string line; std::getline(file, line);)
      if (std::string inode = inode_in(line, port); !inode.empty()) return inode;
  }
  return "";
}

// The files of other users' processes cannot be read; those are skipped.
bool has_socket(const fs::path& process, const std::string& link) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(process / "fd", error))
    if (fs::read_symlink(entry.path(), error) == link) return true;
  return false;
}

}  // namespace

std::string port_holder(std::uint16_t port) {
  const std::string inode = inode_of(port);
  std::error_code error;
  if (!inode.empty())
    for (const auto& process : fs::directory_iterator("/proc", error)) {
      const std::string number = process.path().filename().string();
      if (number.find_first_not_of("0123456789") != std::string::npos) continue;
      if (!has_socket(process.path(), fmt::format("socket:[{}]", inode))) continue;
      return process_name(std::atoi(number.c_str()));
    }
  return "another process";
}

}  // namespace ampere
