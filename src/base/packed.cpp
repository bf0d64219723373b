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

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string encode(const unsigned char* bytes, std::size_t size) {
  std::string text;
  text.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const std::size_t left = std::min<std::size_t>(3, size - i);
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j) three = three << 8 | (j < left ? bytes[i + j] : 0);
    for (std::size_t j = 0; j < 4; ++j)
      text += j <= left ? kDigits[three >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

constexpr std::array<std::int8_t, 256> kValues = [] {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < kDigits.size(); ++i)
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::int8_t>(i);
  return values;
}();

std::vector<unsigned char> decode(std::string_view text) {
  const auto fail = [] { throw Error(ErrorCode::usage, "is not a list of packed numbers"); };
  if (text.size() % 4 != 0) fail();
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  std::vector<unsigned char> bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char digit : text) {
    const int value = kValues[static_cast<unsigned char>(digit)];
    if (value < 0) fail();
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(static_cast<unsigned char>(bits >> held));
  }
  return bytes;
}

template <class Number>
std::string pack_numbers(std::span<const Number> values) {
  return encode(reinterpret_cast<const unsigned char*>(values.data()), values.size_bytes());
}

template <class Number>
std::vector<Number> unpack(std::string_view text) {
  const std::vector<unsigned char> bytes = decode(text);
  if (bytes.size() % sizeof(Number) != 0)
    throw Error(ErrorCode::usage, "is a list of packed numbers that was cut off");
  std::vector<Number> values(bytes.size() / sizeof(Number));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace

std::string pack(std::span<const double> values) { return pack_numbers(values); }
std::string pack(std::span<const float> values) { return pack_numbers(values); }
std::vector<double> unpack_doubles(std::string_view text) { return unpack<double>(text); }
std::vector<float> unpack_floats(std::string_view text) { return unpack<float>(text); }

}  // namespace ampere
