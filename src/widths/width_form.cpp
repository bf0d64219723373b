#include "widths/width_form.h"

namespace ampere {
namespace {

void add(BlockWork& sum, double times, const BlockWork& work) {
  sum = {sum.flops + times * work.flops, sum.bytes + times * work.bytes};
}

}  // namespace

BlockWork operator-(const BlockWork& a, const BlockWork& b) {
  return {a.flops - b.flops, a.bytes - b.bytes};
}

BlockWork WorkForm::operator()(std::span<const std::int64_t> features) const {
  BlockWork work = base;
  const auto beyond = [&](std::size_t i) {
    return static_cast<double>(features[i] / multiple_of[i] - 1);
  };
  std::size_t pair = 0;
  for (std::size_t i = 0; i < features.size(); ++i) {
    add(work, beyond(i), first[i]);
    add(work, beyond(i) * (beyond(i) - 1) / 2, second[pair++]);
    for (std::size_t j = i + 1; j < features.size(); ++j)
      add(work, beyond(i) * beyond(j), second[pair++]);
  }
  return work;
}

}  // namespace ampere
