#include "model/window.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "model/checked.h"

namespace ampere {
namespace {

std::int64_t slide_axis(std::int64_t input, std::int64_t kernel, std::int64_t stride,
                        std::int64_t padding, std::int64_t dilation, bool ceil) {
  const std::int64_t reach = dilation * (kernel - 1) + 1;
  const std::int64_t room = input + 2 * padding - reach;
  if (room < 0)
    throw Error(ErrorCode::usage,
                fmt::format("the kernel covers {} positions, but the padded input has only {}",
                            reach, input + 2 * padding));
  if (!ceil) return room / stride + 1;
  const std::int64_t rounded_up = (room + stride - 1) / stride + 1;
  // A last window that would start in the right padding has nothing to pool: frameworks drop it.
  return (rounded_up - 1) * stride >= input + padding ? rounded_up - 1 : rounded_up;
}

}  // namespace

std::vector<std::int64_t> per_axis(const std::string& what, const std::vector<std::int64_t>& given,
                                   const std::vector<std::int64_t>& otherwise, std::int64_t low) {
  if (given.empty()) return otherwise;
  const std::size_t axes = otherwise.size();
  if (given.size() != 1 && given.size() != axes)
    throw Error(ErrorCode::usage,
                fmt::format("{} has {} numbers for an input with {}", what, given.size(),
                            axes == 1   ? "one axis"
                            : axes == 2 ? "two axes"
                                        : fmt::format("{} axes", axes)));
  for (const std::int64_t value : given) check_range(what, value, low, kMaxWindow);
  return given.size() == axes ? given : std::vector<std::int64_t>(axes, given[0]);
}

std::vector<std::int64_t> slide(const SlidingWindow& window,
                                const std::vector<std::int64_t>& extent, bool ceil) {
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < extent.size(); ++i)
    result.push_back(slide_axis(extent[i], window.kernel[i], window.stride[i], window.padding[i],
                                window.dilation[i], ceil));
  return result;
}

std::vector<std::int64_t> spread(const SlidingWindow& window, const std::vector<std::int64_t>& more,
                                 const std::vector<std::int64_t>& extent) {
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < extent.size(); ++i) {
    const std::int64_t reach = window.dilation[i] * (window.kernel[i] - 1) + 1;
    const std::int64_t length =
        (extent[i] - 1) * window.stride[i] + reach + more[i] - 2 * window.padding[i];
    if (length < 1)
      throw Error(ErrorCode::usage, fmt::format("padding {} leaves nothing", window.padding[i]));
    result.push_back(length);
  }
  return result;
}

}  // namespace ampere
