// How much of a resource is in use at every moment from 0 on.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace ampere {

// A step function that is 0 at first and after its last step. With n steps every operation takes
// about √n time, because steps are kept in chunks that know their highest and lowest level.
class StepFunction {
 public:
  StepFunction();

  void add(double begin, double end, double amount);  // 0 <= begin < end

  // The earliest time from `from` on at which the level stays at or below `room` for `length`. If
  // that is after `latest`, any time after `latest`.
  double first_fit(double from, double length, double room,
                   double latest = std::numeric_limits<double>::infinity()) const;

 private:
  struct Chunk {
    std::vector<double> from, level;  // each level holds until the next `from`; without `added`
    double highest = 0, lowest = 0;   // with `added`
    double added = 0;                 // to all levels

    void summarise();
  };

  std::size_t chunk_of(double time) const;
  void make_step(double time);
  void split(std::size_t chunk);
  double end_of(std::size_t chunk) const;
  double last_blocked_until(std::size_t chunk, double room) const;

  std::vector<double> starts_;  // of the chunks
  std::vector<Chunk> chunks_;
};

}  // namespace ampere
