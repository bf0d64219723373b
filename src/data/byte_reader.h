// The bytes of a file from front to back, unpacked where its name ends in ".gz".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ampere {

// What a file is read through.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Fewer than asked for only at the end. Throws Error(usage) when the file is damaged.
  virtual std::size_t read(unsigned char* into, std::size_t size) = 0;
};
std::unique_ptr<ByteStream> open_gz_stream(const std::string& path);

using Bytes = std::vector<unsigned char>;

// Every complaint is an Error(usage) with the path and the byte. Nothing is allocated for bytes
// that are not there.
class ByteReader {
 public:
  explicit ByteReader(std::string path);  // Error(permission) when it cannot be opened

  const std::string& path() const { return path_; }
  Bytes take(std::int64_t size, const std::string& what);
  Bytes take_rest();
  std::uint32_t big_endian(const std::string& what);  // of 4 bytes
  void expect_end(const std::string& what);           // throws when more follows

  [[noreturn]] void fail(const std::string& why) const;  // "<path>: byte <position>: <why>"

 private:
  std::string path_;
  std::unique_ptr<ByteStream> stream_;
  std::int64_t length_ = 0;  // of the file; what it unpacks to is not known beforehand
  bool packed_ = false;
  std::int64_t position_ = 0;
};

}  // namespace ampere
