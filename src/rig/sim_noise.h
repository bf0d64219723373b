// Random numbers that are equal with every standard library.
#pragma once

#include <random>
#include <string_view>

namespace ampere {

class SimNoise {
 public:
  explicit SimNoise(std::string_view key);  // equal keys give equal sequences

  double uniform();                // in [0, 1)
  double factor(double relative);  // around 1 with this standard deviation; at least 0.2

 private:
  double normal();
  std::mt19937_64 engine_;
};

}  // namespace ampere
