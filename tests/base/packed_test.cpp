#include "base/packed.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ampere/error.h"

namespace ampere {
namespace {

template <class Number>
std::vector<Number> hard_numbers() {
  using Limits = std::numeric_limits<Number>;
  return {0,
          Number(-0.0),
          1,
          Number(-1) / 3,
          Limits::max(),
          Limits::lowest(),
          Limits::min(),
          Limits::denorm_min(),
          -Limits::denorm_min(),
          Limits::epsilon(),
          Limits::infinity(),
          -Limits::infinity(),
          Limits::quiet_NaN()};
}

// NaN and -0.0 too: what is compared is every bit.
template <class Bits, class Number>
void expect_same_bits(const std::vector<Number>& read, const std::vector<Number>& written) {
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t i = 0; i < read.size(); ++i)
    EXPECT_EQ(std::bit_cast<Bits>(read[i]), std::bit_cast<Bits>(written[i])) << written[i];
}

ErrorCode code_of(const std::string& text) {
  try {
    unpack_doubles(text);
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "was read: " << text;
  return ErrorCode::failed;
}

TEST(Packed, DoublesComeBackBitForBit) {
  const auto values = hard_numbers<double>();
  expect_same_bits<std::uint64_t>(unpack_doubles(pack(std::span<const double>(values))), values);
}

TEST(Packed, FloatsComeBackBitForBit) {
  const auto values = hard_numbers<float>();
  expect_same_bits<std::uint32_t>(unpack_floats(pack(std::span<const float>(values))), values);
}

TEST(Packed, WholeNumbersComeBackBitForBit) {
  const std::vector<std::uint64_t> values{0, 1, std::numeric_limits<std::uint64_t>::max(),
                                          0x7ff0000000000001u};
  EXPECT_EQ(unpack_whole_numbers(pack(std::span<const std::uint64_t>(values))), values);
}

TEST(Packed, EveryLengthComesBack) {
  std::vector<double> doubles;
  std::vector<float> floats;
  for (int length = 0; length < 20; ++length) {
    EXPECT_EQ(unpack_doubles(pack(std::span<const double>(doubles))), doubles) << length;
    EXPECT_EQ(unpack_floats(pack(std::span<const float>(floats))), floats) << length;
    doubles.push_back(std::sin(length));
    floats.push_back(std::sin(static_cast<float>(length)));
  }
}

TEST(Packed, NothingIsNoText) {
  EXPECT_EQ(pack(std::span<const double>()), "");
  EXPECT_TRUE(unpack_doubles("").empty());
  EXPECT_TRUE(unpack_floats("").empty());
}

TEST(Packed, IsLittleEndianBase64) {
  const std::vector<double> one{1.0};
  EXPECT_EQ(pack(std::span<const double>(one)), "AAAAAAAA8D8=");
  EXPECT_EQ(unpack_doubles("AAAAAAAA8D8="), one);
}

TEST(Packed, BytesAreTextToo) {
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("any carnal pleas"), "YW55IGNhcm5hbCBwbGVhcw==");
  EXPECT_EQ(to_base64(std::string_view("\0\xFF", 2)), "AP8=");
}

TEST(Packed, TextThatIsCutOffIsRefused) {
  const std::vector<double> values{1, 2, 3, 4, 5};
  const std::string text = pack(std::span<const double>(values));
  for (std::size_t length = 1; length < text.size(); ++length) {
    if (length % 32 == 0) continue;  // three whole numbers
    EXPECT_EQ(code_of(text.substr(0, length)), ErrorCode::usage) << length;
  }
}

TEST(Packed, FloatsThatAreNotWholeDoublesAreRefused) {
  const std::vector<float> three{1, 2, 3};
  EXPECT_EQ(code_of(pack(std::span<const float>(three))), ErrorCode::usage);
}

TEST(Packed, OtherTextIsRefused) {
  for (const char* text :
       {"no", "AAAAAAAA8D8!", "AAAA AAA8D8=", "AAAAAAAA8D8\xff", "AAAAAAAA8D8\n", "AAA=AAAA8D8=",
        "=AAAAAAA8D8=", "====", "A===", "AAAAAAAAA===", "AAAAAAAA8D8=====", "AAAAAAAA8D-_"})
    EXPECT_EQ(code_of(text), ErrorCode::usage) << text;
}

}  // namespace
}  // namespace ampere
