#include "fleet/signal_name.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <string_view>

#include "ampere/error.h"
#include "base/plain_text.h"

namespace ampere {

int signal_number(const std::string& name) {
  constexpr std::string_view kPrefix = "SIG";
  const std::string word = name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
  for (int number = 1; number < SIGRTMIN; ++number) {
    const char* known = sigabbrev_np(number);
    const bool matches = (known != nullptr && word == known) || word == std::to_string(number);
    if (matches && number != SIGKILL && number != SIGSTOP) return number;
  }
  throw Error(
      ErrorCode::usage,
      fmt::format("'{}' is not a signal that a command can catch, such as USR1", plain_text(name)));
}

}  // namespace ampere
