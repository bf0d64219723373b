#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "ampere/error.h"
#include "data/formats.h"
#include "data/npy_header.h"

namespace ampere {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are little-endian");

struct Array {
  NpyHeader header;
  Bytes bytes;
};

Array read_array(const std::string& path) {
  ByteReader file(path);
  Array array{read_npy_header(file), {}};
  array.bytes = file.take(
      array.header.elements() * array.header.bytes,
      fmt::format("an array of {} of {}", fmt::join(array.header.shape, "x"), array.header.type()));
  file.expect_end("the array");
  return array;
}

template <class Number>
std::vector<std::int64_t> widened(const Array& array) {
  std::vector<std::int64_t> numbers(array.bytes.size() / sizeof(Number));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Number number;
    std::memcpy(&number, array.bytes.data() + i * sizeof(Number), sizeof(Number));
    numbers[i] = static_cast<std::int64_t>(number);  // what is too large becomes negative
  }
  return numbers;
}

std::vector<std::int64_t> integers(const Array& array, const std::string& path) {
  const std::string type = array.header.type();
  if (type == "u1") return widened<std::uint8_t>(array);
  if (type == "i1") return widened<std::int8_t>(array);
  if (type == "u2") return widened<std::uint16_t>(array);
  if (type == "i2") return widened<std::int16_t>(array);
  if (type == "u4") return widened<std::uint32_t>(array);
  if (type == "i4") return widened<std::int32_t>(array);
  if (type == "u8") return widened<std::uint64_t>(array);
  if (type == "i8") return widened<std::int64_t>(array);
  throw Error(ErrorCode::usage,
              fmt::format("{}: holds {}, and must hold whole numbers", path, type));
}

std::vector<float> floats(const Array& array, const std::string& path) {
  if (array.header.bytes != 4)
    throw Error(ErrorCode::usage,
                fmt::format("{}: holds {}; samples are uint8 or float32: save them with "
                            "astype('float32')",
                            path, array.header.type()));
  std::vector<float> numbers(array.bytes.size() / sizeof(float));
  if (!numbers.empty()) std::memcpy(numbers.data(), array.bytes.data(), array.bytes.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i]))
      throw Error(ErrorCode::usage,
                  fmt::format("{}: sample {} has a number that is not finite", path,
                              static_cast<std::int64_t>(i) / array.header.each()));
  return numbers;
}

std::vector<std::int64_t> token_ids(const Array& array, const std::string& path) {
  std::vector<std::int64_t> ids = integers(array, path);
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] < 0 || ids[i] >= kMostClasses)
      throw Error(ErrorCode::usage,
                  fmt::format("{}: sample {} has the token {}; tokens are from 0 to {}", path,
                              static_cast<std::int64_t>(i) / array.header.each(), ids[i],
                              kMostClasses - 1));
  return ids;
}

// Bytes are pixels, floats are what they are, and larger whole numbers are tokens.
bool holds_tokens(const NpyHeader& header) { return header.kind != 'f' && header.type() != "u1"; }

TensorShape sample_shape(const NpyHeader& header, const std::string& path) {
  const std::vector<std::int64_t>& axes = header.shape;
  if (holds_tokens(header) && axes.size() == 2) return tokens(axes[1], 0);
  if (!holds_tokens(header) && axes.size() == 2) return flat(axes[1]);
  if (!holds_tokens(header) && axes.size() == 3) return line(axes[1], axes[2]);
  if (!holds_tokens(header) && axes.size() == 4) return image(axes[1], axes[2], axes[3]);
  throw Error(ErrorCode::usage,
              fmt::format("{}: an array of {} of {}; samples are NxF, NxCxL or NxCxHxW of uint8 or "
                          "float32, or NxT tokens of other whole numbers",
                          path, fmt::join(axes, "x"), header.type()));
}

std::int64_t read_labels(RawSamples& half) {
  const Array array = read_array(half.labels_file);
  if (array.header.shape.size() > 2 || array.header.each() == 0)
    throw Error(ErrorCode::usage,
                fmt::format("{}: an array of {}; labels are N, or NxT for one a token",
                            half.labels_file, fmt::join(array.header.shape, "x")));
  half.labels = integers(array, half.labels_file);
  return array.header.each();
}

struct Half {
  RawSamples samples;
  TensorShape sample;
  std::int64_t labels_each = 1;
};

Half read_half(const Folder& folder, const std::string& which) {
  Half half;
  half.samples.values_file = need_file(folder, {"x_" + which + ".npy"});
  half.samples.labels_file = need_file(folder, {"y_" + which + ".npy"});
  const std::string& path = half.samples.values_file;
  Array array = read_array(path);
  half.sample = sample_shape(array.header, path);
  if (array.header.each() == 0)
    throw Error(ErrorCode::usage, fmt::format("{}: samples without a number", path));
  half.samples.count = array.header.shape[0];
  if (holds_tokens(array.header))
    half.samples.values = token_ids(array, path);
  else if (array.header.kind == 'f')
    half.samples.values = floats(array, path);
  else
    half.samples.values = std::move(array.bytes);
  half.labels_each = read_labels(half.samples);
  return half;
}

}  // namespace

bool has_npy(const Folder& folder) { return find_file(folder, {"x_train.npy"}).has_value(); }

RawData read_npy(const Folder& folder) {
  Half training = read_half(folder, "train");
  Half test = read_half(folder, "test");
  const bool same = training.sample == test.sample && training.labels_each == test.labels_each &&
                    training.samples.values.index() == test.samples.values.index();
  if (!same)
    throw Error(ErrorCode::usage,
                fmt::format("{}: samples ({}) or labels of another shape or type than those of {} "
                            "({})",
                            test.samples.values_file, to_string(test.sample),
                            training.samples.values_file, to_string(training.sample)));
  return {training.sample, training.labels_each, std::nullopt, std::move(training.samples),
          std::move(test.samples)};
}

}  // namespace ampere
