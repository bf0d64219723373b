#include "model/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>

#include "ampere/channels.h"
#include "ampere/zoo.h"
#include "model/draw_number.h"
#include "model/width_units.h"

namespace ampere {
namespace {

std::optional<std::int64_t> original_depth(const std::string& family) {
  for (const ZooEntry& entry : zoo())
    if (entry.name == family)
      for (const ZooOption& option : entry.options)
        if (option.key == "layers") return option.default_value;
  return std::nullopt;
}

std::vector<std::int64_t> draw_widths(std::mt19937_64& random, const Model& original) {
  return widths_by_units(original,
                         [&](std::int64_t units) { return draw_number(random, 1, units); });
}

std::vector<std::int64_t> draw_round_widths(std::mt19937_64& random, const Model& original) {
  return widths_by_units(original,
                         [&](std::int64_t units) { return units * draw_number(random, 1, 8) / 8; });
}

using DrawWidths = std::vector<std::int64_t> (*)(std::mt19937_64& random, const Model& original);

std::vector<Model> draw_versions(std::span<const Model> originals, int count, unsigned seed,
                                 DrawWidths draw) {
  std::mt19937_64 random(seed);
  std::vector<Model> networks;
  for (int i = 0; i < count && !originals.empty(); ++i) {
    const Model& original = originals[random() % originals.size()];
    networks.push_back(with_widths(original, draw(random, original)));
  }
  return networks;
}

}  // namespace

std::vector<Model> draw_networks(const std::string& family, int count, unsigned seed) {
  std::mt19937_64 random(seed);
  const auto depth = original_depth(family);
  std::vector<Model> networks;
  for (int i = 0; i < count; ++i) {
    const std::string options =
        depth ? fmt::format("layers={}", draw_number(random, 1, *depth)) : "";
    const Model original = open_model(options.empty() ? family : family + ":" + options);
    std::string spec = options;
    for (const std::int64_t width : draw_widths(random, original))
      spec += fmt::format("{}{}", spec.empty() ? "" : ",", width);
    networks.push_back(open_model(spec.empty() ? family : family + ":" + spec));
  }
  return networks;
}

std::vector<Model> draw_narrower(std::span<const Model> originals, int count, unsigned seed) {
  return draw_versions(originals, count, seed, draw_widths);
}

std::vector<Model> draw_round(std::span<const Model> originals, int count, unsigned seed) {
  return draw_versions(originals, count, seed, draw_round_widths);
}

Model half_as_wide(const Model& original) {
  return with_widths(original,
                     widths_by_units(original, [](std::int64_t units) { return units / 2; }));
}

}  // namespace ampere
