#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "ampere/error.h"
#include "ampere/widths.h"
#include "method/kernels/kernel.h"
#include "model/width_units.h"

namespace ampere {
namespace {

constexpr int kTriesForEach = 20;
constexpr int kStrideOneIn = 8;  // a stride is redrawn this seldom
constexpr std::int64_t kMostKernel = 11;
constexpr std::int64_t kMostStride = 4;

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t count) { return random_() % count; }
  // Evenly in the logarithm between half and twice the value.
  std::int64_t around(std::int64_t value) {
    const double share = static_cast<double>(random_() >> 11) * 0x1p-53;
    return std::max<std::int64_t>(
        1, std::llround(static_cast<double>(value) * std::exp2(2 * share - 1)));
  }

 private:
  std::mt19937_64 random_;
};

// One drawing: the same change wherever it applies in the kernel.
struct Change {
  Dice& dice;
  std::map<std::int64_t, std::int64_t> extents = {};  // new ones by old ones

  std::int64_t extent(std::int64_t old) {
    const auto [entry, is_new] = extents.try_emplace(old, old);
    if (is_new && old > 1) entry->second = dice.around(old);
    return entry->second;
  }

  void operator()(Input& op) {
    if (op.shape.layout == Layout::tensor) return;
    for (std::int64_t& length : op.shape.extent) length = extent(length);
  }
  void operator()(Conv& op) { change_window(op.kernel, op.stride, op.padding, op.dilation); }
  void operator()(Pool& op) { change_window(op.kernel, op.stride, op.padding, {}); }
  template <class Other>
  void operator()(Other&) {}

  // By two at a time and the padding with it, so that the extent it gives stays; 1 stays 1.
  void change_window(std::vector<std::int64_t>& kernel, std::vector<std::int64_t>& stride,
                     std::vector<std::int64_t>& padding,
                     const std::vector<std::int64_t>& dilation) {
    const auto is_one = [](std::int64_t size) { return size == 1; };
    const std::int64_t smallest = *std::ranges::min_element(padding);
    if (!std::ranges::all_of(kernel, is_one) && smallest > 0) {
      const std::int64_t step = static_cast<std::int64_t>(dice.below(3)) - 1;
      const bool legal = std::ranges::all_of(kernel, [&](std::int64_t size) {
        return size + 2 * step >= 2 && size + 2 * step <= kMostKernel;
      });
      for (std::size_t i = 0; legal && i < kernel.size(); ++i) {
        kernel[i] += 2 * step;
        padding[i] += step * (dilation.empty() ? 1 : dilation[i]);
      }
    }
    if (dice.below(kStrideOneIn) == 0)
      std::ranges::fill(stride, static_cast<std::int64_t>(dice.below(kMostStride)) + 1);
  }
};

Model changed(const Model& model, Dice& dice) {
  Change change{dice};
  ModelBuilder builder(model.name());
  for (const Layer& layer : model.layers()) {
    Op op = layer.op;
    std::visit(change, op);
    builder.add(std::move(op), layer.inputs);
  }
  return std::move(builder).build();
}

Model at_other_widths(const Model& model, Dice& dice) {
  const auto around = [&](std::int64_t units) { return dice.around(units); };
  return with_widths(model, widths_by_units(model, around, OutputChannels::free),
                     OutputChannels::free);
}

// Nothing where the drawn sizes are not legal together, or make another kernel of it.
std::optional<Kernel> drawn_around(const Kernel& kernel, Dice& dice, const FusionRules& rules) {
  try {
    std::vector<Kernel> found =
        kernels_of(at_other_widths(changed(kernel.alone, dice), dice), rules);
    if (found.size() != 1 || found.front().type != kernel.type) return std::nullopt;
    return std::move(found.front());
  } catch (const Error& error) {
    if (error.code() != ErrorCode::usage) throw;
    return std::nullopt;
  }
}

}  // namespace

std::vector<Kernel> widen_kernels(std::span<const Kernel> kernels, int count, unsigned seed,
                                  const FusionRules& rules) {
  std::set<std::pair<std::string, KernelConfig>> seen;
  for (const Kernel& kernel : kernels) seen.insert({kernel.type, kernel.config});
  Dice dice(seed);
  std::vector<Kernel> widened;
  for (std::int64_t left = std::int64_t{kTriesForEach} * count;
       left > 0 && !kernels.empty() && static_cast<std::int64_t>(widened.size()) < count; --left) {
    std::optional<Kernel> drawn = drawn_around(kernels[dice.below(kernels.size())], dice, rules);
    if (drawn && seen.insert({drawn->type, drawn->config}).second)
      widened.push_back(std::move(*drawn));
  }
  return widened;
}

}  // namespace ampere
