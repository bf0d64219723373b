// How many iterations had finished at which time.
#pragma once

#include <cstdint>
#include <vector>

#include "ampere/units.h"

namespace ampere {

class ProgressLog {
 public:
  explicit ProgressLog(Seconds start) : points_{{start, 0}} {}

  void add(Seconds time, std::int64_t more);  // times never go back

  // Assumes that the device worked evenly between two entries, and before the first as after it.
  double at(Seconds time) const;
  std::int64_t iterations() const { return points_.back().iterations; }
  Seconds start() const { return points_.front().time; }
  Seconds end() const { return points_.back().time; }

 private:
  struct Point {
    Seconds time;
    std::int64_t iterations;
  };
  std::vector<Point> points_;
};

}  // namespace ampere
