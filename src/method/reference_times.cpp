#include "method/reference_times.h"

#include "base/stats.h"

namespace ampere {

void ReferenceTimes::add(const std::optional<Pace>& pace) {
  if (pace && has_times(*pace)) times_[pace->reference].push_back(pace->reference_s);
}

const std::vector<double>& ReferenceTimes::of(const std::string& reference) const {
  static const std::vector<double> none;
  const auto found = times_.find(reference);
  return found == times_.end() ? none : found->second;
}

double ReferenceTimes::usual_s(const std::string& reference) const {
  return mean(times_.at(reference));
}

}  // namespace ampere
