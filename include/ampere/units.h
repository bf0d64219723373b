// The quantities ampere talks about. A raw hardware number keeps its unit in its name and becomes
// one of these within a line or two.
#pragma once

#include <chrono>
#include <limits>
#include <optional>

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

// A number that is known only so well: an estimate, a prediction, or the mean of a measurement. Its
// unit is in the name of the variable.
struct Quantity {
  double mean = 0;
  // How far the mean may be off: of a measurement the standard error. Absent where nobody knows, as
  // after a single window.
  std::optional<double> stddev = std::nullopt;
  // Degrees of freedom of the standard deviation; infinite where no sample was needed for it.
  double degrees = std::numeric_limits<double>::infinity();
};

// The standard deviation, or the mean itself where that is unknown: a number must not count as
// certain because too little was measured.
inline double assumed_error(const Quantity& quantity) {
  return quantity.stddev.value_or(quantity.mean);
}

inline Joules operator*(Watts power, Seconds time) { return {power.value * time.count()}; }
inline Joules operator+(Joules a, Joules b) { return {a.value + b.value}; }
inline Joules operator-(Joules a, Joules b) { return {a.value - b.value}; }

}  // namespace ampere
