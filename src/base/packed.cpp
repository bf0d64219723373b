#include "base/packed.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

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

// What a digit at each of four places adds to the three bytes, the first of them lowest.
constexpr std::uint32_t kNoDigit = 1U << 31;
constexpr std::array<std::array<std::uint32_t, 256>, 4> kPlaced = [] {
  std::array<std::array<std::uint32_t, 256>, 4> placed{};
  for (std::size_t digit = 0; digit < 256; ++digit) {
    const auto value = static_cast<std::uint32_t>(kValues[digit]);
    const bool is_none = kValues[digit] < 0;
    placed[0][digit] = is_none ? kNoDigit : value << 2;
    placed[1][digit] = is_none ? kNoDigit : value >> 4 | (value & 15) << 12;
    placed[2][digit] = is_none ? kNoDigit : value >> 2 << 8 | (value & 3) << 22;
    placed[3][digit] = is_none ? kNoDigit : value << 16;
  }
  return placed;
}();

// Four bytes are written for every three, as long as there is room. Returns the bytes that are
// done.
std::size_t decode_most(std::string_view text, unsigned char* bytes, std::size_t size) {
  const auto* digit = reinterpret_cast<const unsigned char*>(text.data());
  std::uint32_t all = 0;
  std::size_t done = 0;
  for (; done + sizeof(std::uint32_t) <= size; done += 3, digit += 4) {
    const std::uint32_t three =
        kPlaced[0][digit[0]] | kPlaced[1][digit[1]] | kPlaced[2][digit[2]] | kPlaced[3][digit[3]];
    all |= three;
    std::memcpy(bytes + done, &three, sizeof three);
  }
  if ((all & kNoDigit) != 0) fail();
  return done;
}

void decode(std::string_view text, unsigned char* bytes, std::size_t size) {
  const std::size_t most = decode_most(text, bytes, size);
  text.remove_prefix(most / 3 * 4);
  for (std::size_t done = most; done < size; done += 3, text.remove_prefix(4)) {
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
