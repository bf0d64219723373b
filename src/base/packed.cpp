#include "base/packed.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "ampere/error.h"

namespace ampere {
namespace {

static_assert(std::endian::native == std::endian::little, "packed numbers are little-endian");

constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string encode(const unsigned char* bytes, std::size_t size) {
  std::string text;
  text.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const std::size_t left = std::min<std::size_t>(3, size - i);
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j) three = three << 8 | (j < left ? bytes[i + j] : 0);
    for (std::size_t j = 0; j < 4; ++j)
      text += j <= left ? kBase64Digits[three >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

constexpr std::array<std::int8_t, 256> kValues = [] {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < kBase64Digits.size(); ++i)
    values[static_cast<unsigned char>(kBase64Digits[i])] = static_cast<std::int8_t>(i);
  return values;
}();

[[noreturn]] void fail() { throw Error(ErrorCode::usage, "is not a list of packed numbers"); }

// Up to four digits and the three bytes they stand for. Digits that are none are told by the sign.
std::int32_t bits_of(const char* digits, std::size_t count) {
  std::int32_t bits = 0, all = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::int32_t value = i < count ? kValues[static_cast<unsigned char>(digits[i])] : 0;
    all |= value;
    bits = bits << 6 | (value & 63);
  }
  return all < 0 ? -1 : bits;
}

std::size_t decoded_size(std::string_view text) {
  if (text.size() % 4 != 0) fail();
  return text.size() / 4 * 3 - (text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0);
}

void decode(std::string_view text, unsigned char* bytes, std::size_t size) {
  for (std::size_t done = 0; done < size; done += 3, text.remove_prefix(4)) {
    const std::size_t left = std::min<std::size_t>(3, size - done);
    const std::int32_t bits = bits_of(text.data(), left + 1);
    if (bits < 0) fail();
    for (std::size_t i = 0; i < left; ++i)
      bytes[done + i] = static_cast<unsigned char>(bits >> (16 - 8 * i));
  }
}

template <class Number>
std::string pack_numbers(std::span<const Number> values) {
  return encode(reinterpret_cast<const unsigned char*>(values.data()), values.size_bytes());
}

template <class Number>
std::vector<Number> unpack(std::string_view text) {
  const std::size_t size = decoded_size(text);
  if (size % sizeof(Number) != 0)
    throw Error(ErrorCode::usage, "is a list of packed numbers that was cut off");
  std::vector<Number> values(size / sizeof(Number));
  decode(text, reinterpret_cast<unsigned char*>(values.data()), size);
  return values;
}

}  // namespace

std::string pack(std::span<const double> values) { return pack_numbers(values); }
std::string pack(std::span<const float> values) { return pack_numbers(values); }
std::string pack(std::span<const std::uint64_t> values) { return pack_numbers(values); }
std::string to_base64(std::string_view bytes) {
  return encode(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}
std::string from_base64(std::string_view text) try {
  std::string bytes(decoded_size(text), '\0');
  decode(text, reinterpret_cast<unsigned char*>(bytes.data()), bytes.size());
  return bytes;
} catch (const Error& error) {
  throw error.saying("is not base64");
}
std::vector<double> unpack_doubles(std::string_view text) { return unpack<double>(text); }
std::vector<float> unpack_floats(std::string_view text) { return unpack<float>(text); }
std::vector<std::uint64_t> unpack_whole_numbers(std::string_view text) {
  return unpack<std::uint64_t>(text);
}

}  // namespace ampere
