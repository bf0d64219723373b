#include "ampere/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <numeric>

namespace ampere {

std::int64_t TensorShape::positions() const {
  return std::accumulate(extent.begin(), extent.end(), std::int64_t{1}, std::multiplies<>{});
}

std::int64_t TensorShape::elements() const {
  return layout == Layout::tokens ? positions() : channels * positions();
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
    case Layout::line:
    case Layout::image:
      break;
  }
  return fmt::format("{}x{}", shape.channels, extent);
}

}  // namespace ampere
