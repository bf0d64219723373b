#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "block/key.h"

namespace ampere {
namespace {

bool all_equal(const std::vector<std::int64_t>& values, std::int64_t value) {
  return std::all_of(values.begin(), values.end(), [&](std::int64_t v) { return v == value; });
}

// "3" for a square window, "3x5" for another.
std::string short_extent(const std::vector<std::int64_t>& extent) {
  return !extent.empty() && all_equal(extent, extent.front()) ? std::to_string(extent.front())
                                                              : extent_text(extent);
}

std::string stride_text(const std::vector<std::int64_t>& stride) {
  return all_equal(stride, 1) ? "" : fmt::format("/{}", short_extent(stride));
}

template <class T>
std::string name_of(const T& op) {
  return op_name(op);
}

std::string name_of(const Conv& conv) {
  return fmt::format("{}{}{}{}", conv.depthwise ? "dwconv" : "conv", extent_text(conv.kernel),
                     stride_text(conv.stride),
                     conv.groups > 1 ? fmt::format(" g{}", conv.groups) : "");
}

std::string name_of(const ConvTranspose& conv) {
  return fmt::format("tconv{}{}{}", extent_text(conv.kernel), stride_text(conv.stride),
                     conv.groups > 1 ? fmt::format(" g{}", conv.groups) : "");
}

std::string name_of(const Recurrent& recurrent) {
  return fmt::format("{}{}", recurrent.bidirectional ? "bi" : "", op_name(recurrent));
}

std::string name_of(const SelfAttention&) { return "attention"; }
std::string name_of(const BatchNorm&) { return "bn"; }
std::string name_of(const LayerNorm&) { return "ln"; }
std::string name_of(const GroupNorm&) { return "gn"; }
std::string name_of(const InstanceNorm&) { return "in"; }

std::string name_of(const Pool& pool) {
  return fmt::format(
      "{}{}{}", pool.pooling == Pooling::max ? "max_pool" : "avg_pool", short_extent(pool.kernel),
      pool.stride == pool.kernel ? "" : fmt::format("/{}", short_extent(pool.stride)));
}

std::string name_of(const AdaptivePool& pool) {
  const char* kind = pool.pooling == Pooling::max ? "max_" : "";
  return all_equal(pool.extent, 1) ? fmt::format("global_{}pool", kind)
                                   : fmt::format("{}pool_to_{}", kind, extent_text(pool.extent));
}

// Layers of a module go by the module's name, once.
std::string layer_title(const Layer& layer, bool& module_named) {
  if (layer.module.empty()) return std::visit([](const auto& op) { return name_of(op); }, layer.op);
  return std::exchange(module_named, true) ? "" : layer.module;
}

std::string place(const TensorShape& shape) {
  if (shape.extent.empty()) return "";
  const bool is_text = shape.layout == Layout::tokens || shape.layout == Layout::sequence;
  return fmt::format(" @{}{}", extent_text(shape.extent), is_text ? " tokens" : "");
}

}  // namespace

std::string kind_title(const Model& fragment) {
  std::string text;
  bool module_named = false;
  for (const Layer& layer : fragment.layers()) {
    if (std::holds_alternative<Input>(layer.op)) continue;
    const std::string name = layer_title(layer, module_named);
    if (!text.empty() && !name.empty()) text += '+';
    text += name;
  }
  if (text.empty()) text = "input";
  return text + place(fragment.layers().front().output);
}

}  // namespace ampere
