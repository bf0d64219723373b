#include "method/window_shelf.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/text.h"

namespace ampere {
namespace {

constexpr std::size_t kMostWindows = 20000;  // a megabyte of text

}  // namespace

Json WindowShelf::add(const Measurement& measurement) {
  if (windows_ + measurement.windows.size() > kMostWindows) {
    ++left_out_;
    return nullptr;
  }
  Json rows = Json::array();
  for (const Window& window : measurement.windows)
    rows.push_back({window.iterations, window.time.count(), window.energy.value, window.rejected});
  windows_ += measurement.windows.size();
  measurements_.push_back(std::move(rows));
  return measurements_.size() - 1;
}

// Not with stod, which refuses numbers that are too small to be normal.
double rounded(double value) {
  return std::isfinite(value) ? parse_number(fmt::format("{:.5e}", value), "a number") : value;
}

}  // namespace ampere
