#include "onnx/wire_writer.h"

#include <bit>

namespace ampere::onnx {
namespace {

constexpr std::uint64_t kVarintField = 0, kBytesField = 2, kFixed32Field = 5;

std::uint64_t tag(int field, std::uint64_t kind) {
  return static_cast<std::uint64_t>(field) << 3 | kind;
}

}  // namespace

void WireWriter::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) text_ += static_cast<char>((value & 0x7F) | 0x80);
  text_ += static_cast<char>(value);
}

WireWriter& WireWriter::integer(int field, std::int64_t value) {
  varint(tag(field, kVarintField));
  varint(static_cast<std::uint64_t>(value));
  return *this;
}

WireWriter& WireWriter::real(int field, float value) {
  varint(tag(field, kFixed32Field));
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) text_ += static_cast<char>(bits >> shift & 0xFF);
  return *this;
}

WireWriter& WireWriter::begin_bytes(int field, std::size_t length) {
  varint(tag(field, kBytesField));
  varint(length);
  return *this;
}

WireWriter& WireWriter::bytes(int field, std::string_view value) {
  return begin_bytes(field, value.size()).append(value);
}

}  // namespace ampere::onnx
