#include "data/byte_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "ampere/error.h"

namespace ampere {
namespace {

constexpr std::size_t kPiece = 1 << 20;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

class PlainStream final : public ByteStream {
 public:
  explicit PlainStream(const std::string& path)
      : path_(path), file_(std::fopen(path.c_str(), "re")) {
    if (!file_)
      throw Error(ErrorCode::permission,
                  fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  }

  std::size_t read(unsigned char* into, std::size_t size) override {
    const std::size_t got = std::fread(into, 1, size, file_.get());
    if (got < size && std::ferror(file_.get()) != 0)
      throw Error(ErrorCode::usage,
                  fmt::format("{}: cannot be read: {}", path_, std::strerror(errno)));
    return got;
  }

 private:
  std::string path_;
  std::unique_ptr<std::FILE, CloseFile> file_;
};

}  // namespace

ByteReader::ByteReader(std::string path) : path_(std::move(path)), packed_(path_.ends_with(".gz")) {
  stream_ = packed_ ? open_gz_stream(path_) : std::make_unique<PlainStream>(path_);
  std::error_code unknown;
  const auto length = std::filesystem::file_size(path_, unknown);
  length_ = unknown ? 0 : static_cast<std::int64_t>(length);
}

// A file that unpacks says how much there is only on the way: memory grows with what comes.
Bytes ByteReader::take(std::int64_t size, const std::string& what) {
  const auto fail_short = [&](std::int64_t there) {
    fail(fmt::format("cut off: {} should be {} bytes from here, and {} are there", what, size,
                     there));
  };
  if (!packed_ && size > length_ - position_)
    fail_short(std::max<std::int64_t>(0, length_ - position_));
  Bytes bytes;
  while (static_cast<std::int64_t>(bytes.size()) < size) {
    const std::size_t had = bytes.size();
    const auto left = static_cast<std::size_t>(size) - had;
    const std::size_t piece = packed_ ? std::min(left, std::max(kPiece, had)) : left;
    bytes.resize(had + piece);
    const std::size_t got = stream_->read(bytes.data() + had, piece);
    if (got < piece) fail_short(static_cast<std::int64_t>(had + got));
  }
  position_ += size;
  return bytes;
}

Bytes ByteReader::take_rest() {
  Bytes bytes;
  for (std::size_t got = kPiece; got == kPiece;) {
    const std::size_t had = bytes.size();
    bytes.resize(had + kPiece);
    got = stream_->read(bytes.data() + had, kPiece);
    bytes.resize(had + got);
  }
  position_ += static_cast<std::int64_t>(bytes.size());
  return bytes;
}

std::uint32_t ByteReader::big_endian(const std::string& what) {
  std::uint32_t value = 0;
  for (const unsigned char byte : take(4, what)) value = value << 8 | byte;
  return value;
}

void ByteReader::expect_end(const std::string& what) {
  unsigned char more = 0;
  if (stream_->read(&more, 1) != 0) fail(fmt::format("the file should end here, after {}", what));
}

void ByteReader::fail(const std::string& why) const {
  throw Error(ErrorCode::usage, fmt::format("{}: byte {}: {}", path_, position_, why));
}

}  // namespace ampere
