#include "widths/kind_work.h"

#include "block/terms.h"

namespace ampere {
namespace {

constexpr std::size_t kMostFeatures = 6;

using Steps = std::vector<std::int64_t>;  // features in units of what they are multiples of

Steps with(Steps steps, std::size_t i, std::size_t j) {
  ++steps[i], ++steps[j];
  return steps;
}

Steps with(Steps steps, std::size_t i) {
  ++steps[i];
  return steps;
}

Steps features_of(const BlockKind& kind, const Steps& steps) {
  Steps features;
  for (std::size_t i = 0; i < steps.size(); ++i)
    features.push_back(steps[i] * kind.features[i].multiple_of);
  return features;
}

BlockWork count(const BlockKind& kind, const Setup& setup, const Steps& steps) {
  const Steps features = features_of(kind, steps);
  const Model model = instantiate(kind, features);
  Block block{std::shared_ptr<const BlockKind>(std::shared_ptr<void>(), &kind), features, {}};
  for (std::size_t i = 0; i < model.layers().size(); ++i) {
    const Input* input = std::get_if<Input>(&model.layers()[i].op);
    if (input == nullptr || !input->boundary) block.layers.push_back(static_cast<int>(i));
  }
  const BlockTerms terms = terms_of(model, std::span(&block, 1), setup).front();
  return {terms.flops, terms.bytes};
}

}  // namespace

std::optional<WorkForm> find_work_form(const BlockKind& kind, const Setup& setup) {
  const std::size_t size = kind.features.size();
  if (size > kMostFeatures) return std::nullopt;
  const auto counted = [&](const Steps& steps) { return count(kind, setup, steps); };
  const Steps ones(size, 1);
  WorkForm form;
  for (const Feature& feature : kind.features) form.multiple_of.push_back(feature.multiple_of);
  form.base = counted(ones);
  for (std::size_t i = 0; i < size; ++i) form.first.push_back(counted(with(ones, i)) - form.base);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = i; j < size; ++j)
      form.second.push_back(counted(with(ones, i, j)) - form.base - form.first[i] - form.first[j]);
  Steps far;
  for (std::size_t i = 0; i < size; ++i) far.push_back(static_cast<std::int64_t>(5 + 2 * i));
  if (form(features_of(kind, far)) != counted(far)) return std::nullopt;
  return form;
}

}  // namespace ampere
