#include "base/without_places.h"

#include <algorithm>
#include <array>

namespace ampere {
namespace {

constexpr std::string_view kEndsWord = " \t\n'\"(,;:=<>[]{}|`";

std::string name_of_file(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

bool begins_path(std::string_view text, std::size_t at) {
  if (text[at] != '/' && text[at] != '~') return false;
  if (at > 0 && kEndsWord.find(text[at - 1]) == std::string_view::npos) return false;
  const std::size_t next = at + 1;  // "a / b" is no path
  return next < text.size() && kEndsWord.find(text[next]) == std::string_view::npos;
}

}  // namespace

std::string without_places(std::string_view text) {
  text = text.substr(0, text.find("; it said:"));
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    if (!begins_path(text, at)) {
      plain += text[at++];
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(kEndsWord, at), text.size());
    plain += name_of_file(text.substr(at, end - at));
    at = end;
  }
  return plain;
}

std::string without_command(const std::string& spec) {
  constexpr std::array<std::string_view, 3> kCommands{"cmd", "stream", "trace"};
  for (const std::string_view kind : kCommands)
    if (spec.starts_with(std::string(kind) + ":")) return std::string(kind);
  constexpr std::array<std::string_view, 2> kFiles{"recorded:", "replay:"};
  for (const std::string_view kind : kFiles)
    if (spec.starts_with(kind))
      return std::string(kind) + name_of_file(std::string_view(spec).substr(kind.size()));
  return spec;
}

}  // namespace ampere
