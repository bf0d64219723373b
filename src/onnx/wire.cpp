#include "onnx/wire.h"

#include <bit>
#include <cstring>

#include "ampere/error.h"

namespace ampere::onnx {
namespace {

constexpr int kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;

[[noreturn]] void damaged() {
  throw Error(ErrorCode::usage, "damaged, or no ONNX file: a field does not end where it should");
}

[[noreturn]] void unexpected() {
  throw Error(ErrorCode::usage, "damaged, or no ONNX file: a field is of an unexpected kind");
}

std::uint64_t read_varint(std::string_view& rest) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (rest.empty()) damaged();
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  damaged();
}

template <class Number>
Number little_endian(std::string_view bytes) {
  static_assert(std::endian::native == std::endian::little);
  Number number;
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

}  // namespace

std::string_view WireReader::take(std::uint64_t length) {
  if (length > rest_.size()) damaged();
  const std::string_view taken = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return taken;
}

bool WireReader::next() {
  if (rest_.empty()) return false;
  const std::uint64_t tag = read_varint(rest_);
  if (tag >> 3 == 0 || tag >> 3 > 0x1FFFFFFF) damaged();
  field_ = static_cast<int>(tag >> 3);
  kind_ = static_cast<int>(tag & 7);
  bytes_ = {};
  integer_ = 0;
  switch (kind_) {
    case kVarint:
      integer_ = read_varint(rest_);
      return true;
    case kFixed64:
      integer_ = little_endian<std::uint64_t>(take(8));
      return true;
    case kBytes:
      bytes_ = take(read_varint(rest_));
      return true;
    case kFixed32:
      integer_ = little_endian<std::uint32_t>(take(4));
      return true;
    default:
      damaged();
  }
}

std::int64_t WireReader::integer() const {
  if (kind_ == kBytes) unexpected();
  return static_cast<std::int64_t>(integer_);
}

float WireReader::real() const {
  if (kind_ != kFixed32) unexpected();
  return std::bit_cast<float>(static_cast<std::uint32_t>(integer_));
}

std::string_view WireReader::bytes() const {
  if (kind_ != kBytes) unexpected();
  return bytes_;
}

std::vector<std::int64_t> unpack_integers(std::string_view packed) {
  std::vector<std::int64_t> list;
  while (!packed.empty()) list.push_back(static_cast<std::int64_t>(read_varint(packed)));
  return list;
}

void read_integers(const WireReader& reader, std::vector<std::int64_t>& list) {
  if (!reader.is_bytes()) return list.push_back(reader.integer());
  const std::vector<std::int64_t> unpacked = unpack_integers(reader.bytes());
  list.insert(list.end(), unpacked.begin(), unpacked.end());
}

void read_reals(const WireReader& reader, std::vector<float>& list) {
  if (!reader.is_bytes()) return list.push_back(reader.real());
  std::string_view packed = reader.bytes();
  for (; packed.size() >= sizeof(float); packed.remove_prefix(sizeof(float)))
    list.push_back(little_endian<float>(packed));
  if (!packed.empty()) damaged();
}

}  // namespace ampere::onnx
