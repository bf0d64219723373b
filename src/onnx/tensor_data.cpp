#include "onnx/tensor_data.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>

#include "ampere/error.h"
#include "onnx/wire.h"

namespace ampere::onnx {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxRank = 32;
constexpr int kFloatField = 4, kDoubleField = 10;

template <class Number>
Constant::Numbers decode(std::string_view bytes) {
  Constant::Numbers numbers(bytes.size() / sizeof(Number));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Number number;
    std::memcpy(&number, bytes.data() + i * sizeof(Number), sizeof(Number));
    numbers[i] = static_cast<double>(number);
  }
  return numbers;
}

double from_half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1F;
  const double fraction = (bits & 0x3FF) / 1024.0;
  const double magnitude = exponent == 0    ? std::ldexp(fraction, -14)
                           : exponent == 31 ? (fraction == 0 ? INFINITY : NAN)
                                            : std::ldexp(1 + fraction, exponent - 15);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

double from_bfloat(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::size_t bytes_of(ElementType type) {
  switch (type) {
    case ElementType::uint8:
    case ElementType::int8:
    case ElementType::boolean:
      return 1;
    case ElementType::uint16:
    case ElementType::int16:
    case ElementType::float16:
    case ElementType::bfloat16:
      return 2;
    case ElementType::float32:
    case ElementType::int32:
    case ElementType::uint32:
      return 4;
    case ElementType::float64:
    case ElementType::int64:
    case ElementType::uint64:
      return 8;
    default:
      throw Unsupported{
          fmt::format("tensors of element type {} cannot be trained", static_cast<int>(type))};
  }
}

Constant::Numbers decode_raw(std::string_view bytes, ElementType type) {
  switch (type) {
    case ElementType::uint8:
    case ElementType::boolean:
      return decode<std::uint8_t>(bytes);
    case ElementType::int8:
      return decode<std::int8_t>(bytes);
    case ElementType::uint16:
      return decode<std::uint16_t>(bytes);
    case ElementType::int16:
      return decode<std::int16_t>(bytes);
    case ElementType::int32:
      return decode<std::int32_t>(bytes);
    case ElementType::uint32:
      return decode<std::uint32_t>(bytes);
    case ElementType::int64:
      return decode<std::int64_t>(bytes);
    case ElementType::uint64:
      return decode<std::uint64_t>(bytes);
    case ElementType::float64:
      return decode<double>(bytes);
    case ElementType::float32:
      return decode<float>(bytes);
    default:
      break;
  }
  Constant::Numbers numbers = decode<std::uint16_t>(bytes);
  for (double& number : numbers) {
    const auto bits = static_cast<std::uint16_t>(number);
    number = type == ElementType::float16 ? from_half(bits) : from_bfloat(bits);
  }
  return numbers;
}

Constant::Numbers decode_typed(const TensorData& tensor) {
  Constant::Numbers numbers = tensor.loose;
  for (const auto& [field, packed] : tensor.packed) {
    Constant::Numbers part;
    if (field == kFloatField)
      part = decode<float>(packed);
    else if (field == kDoubleField)
      part = decode<double>(packed);
    else
      for (const std::int64_t number : unpack_integers(packed))
        part.push_back(static_cast<double>(number));
    numbers.insert(numbers.end(), part.begin(), part.end());
  }
  // Half-precision numbers lie as bits in the list of 32-bit integers.
  if (tensor.type == ElementType::float16 || tensor.type == ElementType::bfloat16)
    for (double& number : numbers) {
      const auto bits = static_cast<std::uint16_t>(static_cast<std::int64_t>(number));
      number = tensor.type == ElementType::float16 ? from_half(bits) : from_bfloat(bits);
    }
  return numbers;
}

std::int64_t parse_key(std::string_view text, std::string_view key) {
  std::int64_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    throw Unsupported{fmt::format("external data: {} '{}' is not a size", key, text)};
  return value;
}

Constant raw_constant(const TensorData& tensor, std::string_view bytes,
                      std::shared_ptr<const MappedFile> file) {
  const std::int64_t count = element_count(tensor.dims);
  const std::size_t each = bytes_of(tensor.type);
  if (bytes.size() / each != static_cast<std::size_t>(count) || bytes.size() % each != 0)
    throw Unsupported{fmt::format("has {} bytes of data where its shape asks for {}", bytes.size(),
                                  static_cast<std::size_t>(count) * each)};
  return Constant::made(tensor.dims, tensor.type, {},
                        [bytes, type = tensor.type, file = std::move(file)](
                            const std::vector<Constant>&) { return decode_raw(bytes, type); });
}

Constant typed_constant(const TensorData& tensor) {
  Constant::Numbers numbers = decode_typed(tensor);
  const std::int64_t count = element_count(tensor.dims);
  if (static_cast<std::int64_t>(numbers.size()) != count)
    throw Unsupported{
        fmt::format("has {} numbers where its shape asks for {}", numbers.size(), count)};
  return Constant::of(tensor.dims, tensor.type, std::move(numbers));
}

Constant read_numbers(const TensorData& tensor, DataFolder& folder) {
  if (tensor.dims.size() > kMaxRank)
    throw Unsupported{fmt::format("has {} axes", tensor.dims.size())};
  element_count(tensor.dims);
  bytes_of(tensor.type);
  if (tensor.external) {
    std::optional<DataFolder::Part> part = folder.find(tensor);
    return part ? raw_constant(tensor, part->bytes, part->file)
                : Constant::unknown(tensor.dims, tensor.type);
  }
  return tensor.raw ? raw_constant(tensor, *tensor.raw, nullptr) : typed_constant(tensor);
}

}  // namespace

std::optional<DataFolder::Part> DataFolder::find(const TensorData& tensor) {
  if (!folder_) return std::nullopt;
  std::string_view location;
  std::int64_t offset = 0, length = -1;
  for (const auto& [key, value] : tensor.external_keys) {
    if (key == "location") location = value;
    if (key == "offset") offset = parse_key(value, key);
    if (key == "length") length = parse_key(value, key);
  }
  const fs::path given(location);
  std::error_code error;
  const fs::path root = fs::weakly_canonical(folder_->empty() ? fs::path(".") : *folder_, error);
  const fs::path path = fs::weakly_canonical(root / given, error);
  const fs::path inside = path.lexically_relative(root);
  if (location.empty() || location.find('\0') != std::string_view::npos || given.is_absolute() ||
      error || inside.empty() || *inside.begin() == ".." || inside == ".")
    throw Unsupported{fmt::format("external data '{}' lies outside the model's folder", location)};
  if (!fs::exists(path, error)) return std::nullopt;
  std::shared_ptr<const MappedFile>& file = files_[path];
  if (!file) file = std::make_shared<const MappedFile>(path.string());
  const auto size = static_cast<std::int64_t>(file->bytes().size());
  if (length < 0) length = std::max<std::int64_t>(size - offset, 0);
  if (offset > size || length > size - offset)
    throw Unsupported{fmt::format("external data '{}' has {} bytes, not {} from {}", location, size,
                                  length, offset)};
  return Part{file, file->bytes().substr(offset, length)};
}

Constant read_tensor(const TensorData& tensor, DataFolder& folder) {
  Constant constant = read_numbers(tensor, folder);
  constant.name = tensor.name;
  constant.learned = is_floating(tensor.type);
  return constant;
}

}  // namespace ampere::onnx
