#include "base/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "ampere/error.h"
#include "base/read_file.h"

namespace ampere {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest, and a header of gzip
constexpr int kMemoryLevel = 8;

Bytef* bytes_of(std::string_view text) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // zlib only reads it
}

class Inflater {
 public:
  Inflater(std::string_view packed, const std::string& origin, std::uint64_t most)
      : packed_(packed), origin_(origin), most_(most) {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK)
      throw Error(ErrorCode::failed, origin_ + ": there is not enough memory to unpack it");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // A file may consist of several packed parts, one behind the other.
  std::string unpack() {
    std::string text;
    while (!packed_.empty()) {
      unpack_part(text);
      if (!packed_.empty() && inflateReset(&stream_) != Z_OK) fail("it is broken");
    }
    return text;
  }

 private:
  void unpack_part(std::string& text) {
    for (int status = Z_OK; status != Z_STREAM_END;) {
      const std::size_t given = std::min<std::size_t>(packed_.size(), 1 << 20);
      stream_.next_in = bytes_of(packed_);
      stream_.avail_in = static_cast<uInt>(given);
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      status = inflate(&stream_, Z_NO_FLUSH);
      packed_.remove_prefix(given - stream_.avail_in);
      const std::size_t got = buffer_.size() - stream_.avail_out;
      if (status == Z_BUF_ERROR) fail("it was cut off");
      if (status != Z_OK && status != Z_STREAM_END)
        fail(stream_.msg != nullptr ? stream_.msg : "it is broken");
      if (got > most_ - text.size())
        throw Error(ErrorCode::usage,
                    fmt::format("{}: is larger than {} when it is unpacked, the most that is read",
                                origin_, size_text(most_)));
      text.append(buffer_.data(), got);
    }
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorCode::usage, fmt::format("{}: cannot be unpacked: {}", origin_, why));
  }

  z_stream stream_{};
  std::array<char, 1 << 16> buffer_;
  std::string_view packed_;
  const std::string& origin_;
  std::uint64_t most_;
};

}  // namespace

std::string gzip(std::string_view text) {
  z_stream stream{};
  if (text.size() > std::numeric_limits<uInt>::max() ||
      deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error(ErrorCode::failed, "a text is too large to be packed");
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = bytes_of(text);
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int status = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw Error(ErrorCode::failed, "a text is too large to be packed");
  return packed;
}

bool is_gzip(std::string_view text) { return text.starts_with("\x1f\x8b"); }

std::string gunzip(std::string_view packed, const std::string& origin, std::uint64_t most) {
  return Inflater(packed, origin, most).unpack();
}

}  // namespace ampere
