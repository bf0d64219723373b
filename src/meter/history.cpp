#include "meter/history.h"

#include <algorithm>

namespace ampere {

void ReadingHistory::add(const Reading& reading) {
  if (readings_.empty() || reading.time > readings_.back().time) readings_.push_back(reading);
}

void ReadingHistory::forget_before(Seconds time) {
  while (readings_.size() > 1 && readings_[1].time <= time) readings_.pop_front();
}

std::optional<Reading> ReadingHistory::at(Seconds time) const {
  const auto after = std::ranges::lower_bound(readings_, time, {}, &Reading::time);
  if (after == readings_.end()) return std::nullopt;
  if (after->time == time) return *after;
  if (after == readings_.begin()) return std::nullopt;
  const auto before = after - 1;
  const double share = (time - before->time) / (after->time - before->time);
  Reading between{time, before->energy};
  for (std::size_t i = 0; i < between.energy.size(); ++i)
    between.energy[i] =
        between.energy[i] + Joules{share * (after->energy[i] - before->energy[i]).value};
  return between;
}

}  // namespace ampere
