#include "rig/sim_noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/hash.h"

namespace ampere {

SimNoise::SimNoise(std::string_view key) : engine_(std::stoull(hash_text(key), nullptr, 16)) {}

double SimNoise::uniform() { return std::ldexp(static_cast<double>(engine_() >> 11), -53); }

// The Box–Muller transform.
double SimNoise::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

double SimNoise::factor(double relative) { return std::max(0.2, 1 + relative * normal()); }

std::string SimNoiseKeys::next(const std::string& thing) {
  return fmt::format("{} {} {} {}", device_, seed_, thing, asked_[thing]++);
}

}  // namespace ampere
