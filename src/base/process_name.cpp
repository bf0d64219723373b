#include "base/process_name.h"

#include <fmt/format.h>

#include <fstream>

#include "base/plain_text.h"

namespace ampere {

std::string process_name(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/comm", process));
  std::string name;
  std::getline(file, name);
  return fmt::format("process {}{}", process,
                     name.empty() ? "" : fmt::format(" ({})", plain_text(name)));
}

}  // namespace ampere
