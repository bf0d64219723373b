#include "base/plain_text.h"

#include <cstdint>

namespace ampere {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

struct Character {
  std::size_t bytes = 1;
  bool valid = false;
  bool control = false;
};

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

// The length that a first byte announces; 0 when no character begins with it.
std::size_t announced_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

// The character at the front of a text that is not empty. One that is not valid is one byte long.
Character front(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = announced_length(first);
  if (length == 0 || length > text.size()) return {};
  std::uint32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) return {};
    code = code << 6 | (next & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (overlong || surrogate || code > 0x10FFFF) return {};
  return {length, true, is_control(code)};
}

std::string replaced(std::string_view text, std::string_view kept) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const Character character = front(text);
    const bool harmless =
        character.valid && (!character.control || kept.find(text[0]) != kept.npos);
    plain += harmless ? text.substr(0, character.bytes) : kReplacement;
    text.remove_prefix(character.bytes);
  }
  return plain;
}

}  // namespace

std::string text_fault(std::string_view text) {
  bool control = false;
  while (!text.empty()) {
    const Character character = front(text);
    if (!character.valid) return "is not UTF-8 text";
    control |= character.control;
    text.remove_prefix(character.bytes);
  }
  return control ? "contains a control character" : "";
}

std::string plain_text(std::string_view text) { return replaced(text, ""); }

std::string plain_lines(std::string_view text) { return replaced(text, "\n\t"); }

}  // namespace ampere
