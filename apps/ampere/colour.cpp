#include "colour.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace ampere {
namespace {

bool has_colours(std::FILE* where) {
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return (refused == nullptr || *refused == '\0') && terminal != nullptr && *terminal != '\0' &&
         std::string_view(terminal) != "dumb" && isatty(fileno(where)) != 0;
}

const char* code_of(Tone tone) {
  switch (tone) {
    case Tone::heading:
      return "\033[1m";
    case Tone::warning:
      return "\033[33m";
    case Tone::error:
      return "\033[31m";
  }
  return "";
}

}  // namespace

std::string toned(const std::string& text, Tone tone, std::FILE* where) {
  return has_colours(where) ? code_of(tone) + text + "\033[0m" : text;
}

}  // namespace ampere
