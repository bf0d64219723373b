#include "decide/standing.h"

namespace ampere {

Standing standing_of(const Interval& cost, double limit) {
  if (cost.high <= limit) return Standing::inside;
  return cost.mean <= limit ? Standing::uncertain : Standing::outside;
}

Standing standing_of_memory(const std::optional<std::int64_t>& peak, std::int64_t memory) {
  if (!peak) return Standing::unknown;
  const double most =
      static_cast<double>(*peak) * (1 + kMemoryMargin) + static_cast<double>(kMemoryOfFramework);
  if (most <= static_cast<double>(memory)) return Standing::inside;
  return *peak <= memory ? Standing::uncertain : Standing::outside;
}

}  // namespace ampere
