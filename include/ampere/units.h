// The quantities ampere talks about. A raw hardware number keeps its unit in its name and becomes
// one of these within a line or two.
#pragma once

#include <chrono>

namespace ampere {

struct Joules {
  double value = 0;
  friend auto operator<=>(const Joules&, const Joules&) = default;
};

struct Watts {
  double value = 0;
  friend auto operator<=>(const Watts&, const Watts&) = default;
};

using Seconds = std::chrono::duration<double>;

inline Joules operator*(Watts power, Seconds time) { return {power.value * time.count()}; }
inline Joules operator+(Joules a, Joules b) { return {a.value + b.value}; }
inline Joules operator-(Joules a, Joules b) { return {a.value - b.value}; }

}  // namespace ampere
