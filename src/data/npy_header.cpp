#include "data/npy_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::int64_t kLongestHeader = 1 << 16;
constexpr std::size_t kMostAxes = 4;
constexpr std::int64_t kMostElements = std::int64_t{1} << 40;

std::string read_text(ByteReader& file) {
  const Bytes magic = file.take(static_cast<std::int64_t>(kMagic.size()), "the magic text");
  if (!std::equal(magic.begin(), magic.end(), kMagic.begin(),
                  [](unsigned char a, char b) { return a == static_cast<unsigned char>(b); }))
    file.fail("the magic text \\x93NUMPY is not before it: no .npy file");
  const Bytes version = file.take(2, "the version");
  if (version[0] < 1 || version[0] > 3)
    file.fail(fmt::format("version {}.{}; this program reads 1 to 3", version[0], version[1]));
  const Bytes length_bytes = file.take(version[0] == 1 ? 2 : 4, "the length of the header");
  std::int64_t length = 0;
  for (std::size_t i = length_bytes.size(); i-- > 0;) length = length << 8 | length_bytes[i];
  if (length > kLongestHeader) file.fail(fmt::format("a header of {} bytes", length));
  const Bytes text = file.take(length, "the header");
  return {text.begin(), text.end()};
}

// What follows 'key': in the text of a Python dictionary, which is as NumPy writes it.
std::string_view value_of(const ByteReader& file, std::string_view text, std::string_view key) {
  const std::size_t at = text.find(fmt::format("'{}'", key));
  const std::size_t colon = at == std::string_view::npos ? at : text.find(':', at);
  if (colon == std::string_view::npos)
    file.fail(fmt::format("the header before it has no '{}'", key));
  return trim(text.substr(colon + 1));
}

// "'<f4'": byte order, kind, bytes.
void read_type(const ByteReader& file, std::string_view text, NpyHeader& header) {
  const std::string_view value = value_of(file, text, "descr");
  const std::size_t end = value.starts_with('\'') ? value.find('\'', 1) : std::string_view::npos;
  const std::string type(end == std::string_view::npos ? "" : value.substr(1, end - 1));
  const bool known = type.size() == 3 && (type[0] == '<' || type[0] == '|') &&
                     (type[1] == 'u' || type[1] == 'i' || type[1] == 'f') &&
                     std::string_view("1248").find(type[2]) != std::string_view::npos;
  if (!known)
    file.fail(
        fmt::format("the header before it says descr '{}'; numbers must be whole ones or "
                    "little-endian floats: save the array with astype('float32')",
                    type));
  header.kind = type[1];
  header.bytes = type[2] - '0';
}

void read_shape(const ByteReader& file, std::string_view text, NpyHeader& header) {
  const std::string_view value = value_of(file, text, "shape");
  const std::size_t end = value.find(')');
  if (!value.starts_with('(') || end == std::string_view::npos)
    file.fail("the 'shape' in the header before it is no tuple");
  std::int64_t elements = 1;  // without axes of length 0, so that the others have a limit, too
  for (const std::string& part : split(value.substr(1, end - 1), ',')) {
    if (trim(part).empty()) continue;
    const std::int64_t length = parse_integer(trim(part), file.path() + ": shape");
    if (length < 0 || length > kMostElements / elements)
      file.fail(
          fmt::format("the shape {} in the header before it is absurd", value.substr(0, end + 1)));
    elements *= std::max<std::int64_t>(1, length);
    header.shape.push_back(length);
  }
  if (header.shape.empty() || header.shape.size() > kMostAxes)
    file.fail(fmt::format("{} axes in the header before it; there must be 1 to {}",
                          header.shape.size(), kMostAxes));
}

}  // namespace

std::string NpyHeader::type() const { return fmt::format("{}{}", kind, bytes); }

std::int64_t NpyHeader::elements() const { return shape[0] * each(); }

std::int64_t NpyHeader::each() const {
  std::int64_t count = 1;
  for (std::size_t axis = 1; axis < shape.size(); ++axis) count *= shape[axis];
  return count;
}

NpyHeader read_npy_header(ByteReader& file) {
  const std::string text = read_text(file);
  NpyHeader header;
  read_type(file, text, header);
  if (!value_of(file, text, "fortran_order").starts_with("False"))
    file.fail(
        "the array lies column after column (fortran_order); save it with "
        "numpy.ascontiguousarray");
  read_shape(file, text, header);
  return header;
}

}  // namespace ampere
