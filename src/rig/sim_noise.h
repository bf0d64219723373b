// Random numbers that are equal with every standard library, and what they depend on.
#pragma once

#include <map>
#include <random>
#include <string>
#include <string_view>

namespace ampere {

inline constexpr double kSimTimingSpread =
    0.004;  // relative, of device times that are not measured

class SimNoise {
 public:
  explicit SimNoise(std::string_view key);  // equal keys give equal sequences

  double uniform();                // in [0, 1)
  double factor(double relative);  // around 1 with this standard deviation; at least 0.2

 private:
  double normal();
  std::mt19937_64 engine_;
};

// The keys of the noise of one simulated device. The n-th answer about the same thing has the same
// noise, whatever was asked in between.
class SimNoiseKeys {
 public:
  SimNoiseKeys(std::string device, int seed) : device_(std::move(device)), seed_(seed) {}

  std::string next(const std::string& thing);

 private:
  std::string device_;
  int seed_;
  std::map<std::string, int> asked_;
};

}  // namespace ampere
