#include "model/draw.h"

#include <algorithm>
#include <optional>
#include <random>

#include "ampere/model.h"
#include "ampere/widths.h"
#include "model/draw_number.h"
#include "model/width_units.h"
#include "model/zoo_spec.h"

namespace ampere {
namespace {

// Nothing where the family has no such option, or was given with a depth or with widths, which
// belong to one depth.
std::optional<std::int64_t> free_depth(const ZooSpec& family) {
  if (family.options.contains("layers") || !family.widths.empty()) return std::nullopt;
  for (const ZooEntry& entry : zoo())
    if (entry.name == family.name)
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
  const ZooSpec original = parse_zoo_spec(family);
  const auto depth = free_depth(original);
  std::vector<Model> networks;
  for (int i = 0; i < count; ++i) {
    ZooSpec drawn = original;
    if (depth) drawn.options["layers"] = draw_number(random, 1, *depth);
    drawn.widths = draw_widths(random, open_model(to_string(drawn)));
    networks.push_back(open_model(to_string(drawn)));
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
