#include "store/text_blob.h"

#include <fmt/format.h>
#include <zlib.h>

#include <utility>

#include "ampere/error.h"

namespace ampere {
namespace {

// No format of zlib packs tighter. Beyond it the size is damaged and is not to be believed.
constexpr std::int64_t kMostPacking = 1032;

[[noreturn]] void throw_damaged(const std::string& origin) {
  throw Error(ErrorCode::usage, fmt::format("{} cannot be unpacked: the store is damaged", origin));
}

}  // namespace

std::string pack_text(std::string_view text) {
  uLongf size = compressBound(text.size());
  std::string blob(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(blob.data()), &size,
                reinterpret_cast<const Bytef*>(text.data()), text.size(),
                Z_DEFAULT_COMPRESSION) != Z_OK)
    throw Error(ErrorCode::failed, "a text cannot be packed: not enough memory");
  blob.resize(size);
  return blob;
}

std::string unpack_text(std::string_view blob, std::int64_t size, const std::string& origin) {
  if (size < 0 || std::cmp_greater(size, blob.size() * kMostPacking)) throw_damaged(origin);
  std::string text(static_cast<std::size_t>(size), '\0');
  uLongf length = text.size();
  if (uncompress(reinterpret_cast<Bytef*>(text.data()), &length,
                 reinterpret_cast<const Bytef*>(blob.data()), blob.size()) != Z_OK ||
      length != text.size())
    throw_damaged(origin);
  return text;
}

}  // namespace ampere
