#include "widths/kind_work.h"

namespace ampere {
namespace {

constexpr std::size_t kMostFeatures = 6;

Work operator-(const Work& a, const Work& b) { return {a.flops - b.flops, a.bytes - b.bytes}; }
Work& operator+=(Work& a, const Work& b) { return a = {a.flops + b.flops, a.bytes + b.bytes}; }
Work operator*(double times, const Work& a) { return {times * a.flops, times * a.bytes}; }

using Steps = std::vector<std::int64_t>;  // features in units of what they are multiples of

Steps with(Steps steps, std::size_t i, std::size_t j) {
  ++steps[i], ++steps[j];
  return steps;
}

Steps with(Steps steps, std::size_t i) {
  ++steps[i];
  return steps;
}

}  // namespace

KindWork::KindWork(const BlockKind& kind, const Setup& setup) : kind_(kind), setup_(setup) {
  const std::size_t count = kind.features.size();
  if (count > kMostFeatures) return;
  const Steps ones(count, 1);
  base_ = counted(ones);
  for (std::size_t i = 0; i < count; ++i) first_.push_back(counted(with(ones, i)) - base_);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i; j < count; ++j)
      second_.push_back(counted(with(ones, i, j)) - base_ - first_[i] - first_[j]);
  Steps far;
  for (std::size_t i = 0; i < count; ++i) far.push_back(static_cast<std::int64_t>(5 + 2 * i));
  Steps features;
  for (std::size_t i = 0; i < count; ++i) features.push_back(far[i] * kind.features[i].multiple_of);
  exact_ = (*this)(features) == counted(far);
}

Work KindWork::counted(std::span<const std::int64_t> steps) const {
  Steps features;
  for (std::size_t i = 0; i < steps.size(); ++i)
    features.push_back(steps[i] * kind_.features[i].multiple_of);
  const Model model = instantiate(kind_, features);
  Block block{std::shared_ptr<const BlockKind>(std::shared_ptr<void>(), &kind_), features, {}};
  for (std::size_t i = 0; i < model.layers().size(); ++i) {
    const Input* input = std::get_if<Input>(&model.layers()[i].op);
    if (input == nullptr || !input->boundary) block.layers.push_back(static_cast<int>(i));
  }
  const BlockTerms terms = terms_of(model, std::span(&block, 1), setup_).front();
  return {terms.flops, terms.bytes};
}

// f(u) = f(1) + Σ Δi (ui − 1) + Σ_{i<j} Δij (ui − 1)(uj − 1) + Σ Δii (ui − 1)(ui − 2)/2
Work KindWork::operator()(std::span<const std::int64_t> features) const {
  Work work = base_;
  const auto beyond = [&](std::size_t i) {
    return static_cast<double>(features[i] / kind_.features[i].multiple_of - 1);
  };
  std::size_t pair = 0;
  for (std::size_t i = 0; i < features.size(); ++i) {
    work += beyond(i) * first_[i];
    work += beyond(i) * (beyond(i) - 1) / 2 * second_[pair++];
    for (std::size_t j = i + 1; j < features.size(); ++j)
      work += beyond(i) * beyond(j) * second_[pair++];
  }
  return work;
}

}  // namespace ampere
