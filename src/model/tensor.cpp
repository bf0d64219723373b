#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <numeric>
#include <utility>

#include "ampere/layer.h"

namespace ampere {

std::int64_t TensorShape::positions() const {
  return std::accumulate(extent.begin(), extent.end(), std::int64_t{1}, std::multiplies<>{});
}

std::int64_t TensorShape::elements() const {
  return layout == Layout::tokens ? positions() : channels * positions();
}

std::vector<std::int64_t> TensorShape::axes() const {
  std::vector<std::int64_t> lengths = extent;
  if (layout == Layout::sequence)
    lengths.push_back(channels);
  else if (layout != Layout::tokens && layout != Layout::tensor)
    lengths.insert(lengths.begin(), channels);
  return lengths;
}

TensorShape flat(std::int64_t channels) { return {Layout::flat, channels, {}}; }

TensorShape tokens(std::int64_t length, std::int64_t vocabulary) {
  return {Layout::tokens, vocabulary, {length}};
}

TensorShape sequence(std::int64_t length, std::int64_t channels) {
  return {Layout::sequence, channels, {length}};
}

TensorShape line(std::int64_t channels, std::int64_t length) {
  return {Layout::line, channels, {length}};
}

TensorShape image(std::int64_t channels, std::int64_t height, std::int64_t width) {
  return {Layout::image, channels, {height, width}};
}

TensorShape tensor(std::vector<std::int64_t> axes) { return {Layout::tensor, 1, std::move(axes)}; }

const char* to_string(Layout layout) {
  switch (layout) {
    case Layout::tokens:
      return "tokens";
    case Layout::flat:
      return "flat";
    case Layout::sequence:
      return "sequence";
    case Layout::line:
      return "line";
    case Layout::image:
      return "image";
    case Layout::tensor:
      return "tensor";
  }
  return "unknown layout";
}

std::string to_string(const TensorShape& shape) {
  const std::string extent = fmt::format("{}", fmt::join(shape.extent, "x"));
  switch (shape.layout) {
    case Layout::tokens:
      return extent + " tokens";
    case Layout::sequence:
      return fmt::format("{}x{} sequence", extent, shape.channels);
    case Layout::flat:
      return fmt::format("{}", shape.channels);
    case Layout::tensor:
      return extent + " tensor";
    case Layout::line:
    case Layout::image:
      break;
  }
  return fmt::format("{}x{}", shape.channels, extent);
}

}  // namespace ampere
