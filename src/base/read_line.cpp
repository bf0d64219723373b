#include "base/read_line.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "base/read_file.h"

namespace ampere {

void refuse_long_line(const std::string& origin, std::uint64_t most) {
  throw Error(ErrorCode::usage, fmt::format("{}: a line is longer than {}, the most that is read",
                                            origin, size_text(most)));
}

bool read_line(std::istream& in, std::string& line, const std::string& origin, std::uint64_t most) {
  line.clear();
  const std::istream::sentry ready(in, true);
  if (!ready) return false;
  constexpr int kEnd = std::istream::traits_type::eof();
  std::streambuf& buffer = *in.rdbuf();
  for (int letter = buffer.sbumpc(); letter != '\n'; letter = buffer.sbumpc()) {
    if (letter == kEnd) {
      in.setstate(line.empty() ? std::ios::eofbit | std::ios::failbit : std::ios::eofbit);
      return !line.empty();
    }
    if (line.size() >= most) refuse_long_line(origin, most);
    line += static_cast<char>(letter);
  }
  return true;
}

}  // namespace ampere
