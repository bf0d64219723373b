#include <utility>

#include "ampere/block.h"
#include "ampere/error.h"
#include "block/features.h"
#include "block/fragment.h"

namespace ampere {
namespace {

[[noreturn]] void fail(const BlockKind& kind, const std::string& message) {
  throw Error(ErrorCode::usage, "block kind '" + kind.title + "': " + message);
}

void check_features(const BlockKind& kind, std::span<const std::int64_t> features) {
  if (features.size() != kind.features.size())
    fail(kind, "needs " + std::to_string(kind.features.size()) + " features, got " +
                   std::to_string(features.size()));
  for (std::size_t i = 0; i < features.size(); ++i) {
    const Feature& feature = kind.features[i];
    if (features[i] <= 0 || features[i] % feature.multiple_of != 0)
      fail(kind, feature.name + " = " + std::to_string(features[i]) +
                     " must be a positive multiple of " + std::to_string(feature.multiple_of));
  }
}

// Features come in the order of their names, widths in the order of first appearance.
std::vector<std::int64_t> widths_of(const FeatureMap& map, std::span<const std::int64_t> features) {
  std::vector<std::int64_t> widths;
  for (int feature : map.feature_of_group)
    if (feature >= 0) widths.push_back(features[feature]);
  return widths;
}

const TensorShape& main_input(const Model& block) { return block.layers().front().output; }

// A companion has one feature, the channels it shares with the block, or none.
Model neighbour(const BlockKind* companion, const BlockKind& kind, std::int64_t channels) {
  if (!companion) fail(kind, "a variant of it needs a companion that is not given");
  if (companion->features.empty()) return instantiate(*companion, {});
  if (companion->features.size() > 1)
    fail(*companion, "has several features and cannot be a companion");
  return instantiate(*companion, std::span(&channels, 1));
}

void check_joint(const BlockKind& kind, const TensorShape& given, const TensorShape& taken) {
  if (given != taken)
    fail(kind, "its companions do not fit: " + to_string(given) + " given, " + to_string(taken) +
                   " taken");
}

}  // namespace

Model instantiate(const BlockKind& kind, std::span<const std::int64_t> features) {
  check_features(kind, features);
  const FeatureMap map = map_features(kind.pattern, kind.role);
  return with_widths(kind.pattern, widths_of(map, features), output_channels(kind.role));
}

Model make_variant(const BlockKind& kind, std::span<const std::int64_t> features,
                   const Companions& companions) {
  const Model block = instantiate(kind, features);
  ModelBuilder builder("variant of " + kind.title);
  int main = -1;
  if (kind.role == Role::hidden) {
    const TensorShape& taken = main_input(block);
    const Model input = neighbour(companions.input.get(), kind, taken.channels);
    check_joint(kind, input.output().output, taken);
    append_fragment(builder, input, -1, "0");
    main = builder.last();
  }
  append_fragment(builder, block, main, "1");
  if (kind.role != Role::output) {
    const TensorShape& given = block.output().output;
    const Model output = neighbour(companions.output.get(), kind, given.channels);
    check_joint(kind, given, main_input(output));
    append_fragment(builder, output, builder.last(), "2");
  }
  return std::move(builder).build();
}

}  // namespace ampere
