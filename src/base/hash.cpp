#include "base/hash.h"

#include <fmt/format.h>

namespace ampere {

std::uint64_t hash_number(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

std::string hash_text(std::string_view text) { return fmt::format("{:016x}", hash_number(text)); }

}  // namespace ampere
