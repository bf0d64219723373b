// How much times of the host are scattered from one look to the next.
#pragma once

#include <vector>

namespace ampere {

// Of the logarithms of times, which are scattered about one mean in each group.
class Scatter {
 public:
  void add(const std::vector<double>& times);  // a group
  // The standard deviation of one more time about the mean of `count`. Few times may agree by
  // chance, so that the interval is that of Student's t. 0 where no group has two times.
  double of_another(double count) const;

 private:
  double squares_ = 0, degrees_ = 0;
};

}  // namespace ampere
