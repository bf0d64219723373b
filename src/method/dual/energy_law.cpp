#include "method/dual/energy_law.h"

#include <algorithm>
#include <cmath>

namespace ampere {
namespace {

constexpr Eigen::Index kAxes = 5;  // of z
constexpr double kLeastTime = 1e-9;

}  // namespace

PowerBlock power_block(const BlockTerms& block) {
  return {block.flops, block.bytes, std::log2(block.flops + 1), std::log2(block.bytes + 1),
          block.first, block.last};
}

void resize(PowerTerms& terms, Eigen::Index blocks) {
  terms.z.resize(blocks, kAxes);
  terms.device_s.resize(blocks);
}

void set_row(PowerTerms& terms, Eigen::Index row, const PowerBlock& block, double device_s) {
  const double d = std::max(kLeastTime, device_s), log_d = std::log2(d);
  terms.device_s[row] = d;
  terms.z.row(row) << log_d, block.log_flops - log_d, block.log_bytes - log_d, block.first ? 1 : 0,
      block.last ? 1 : 0;
}

double EnergyLaw::summed(double device_s, double flops, double bytes) const {
  return device_w * device_s + j_per_flop * flops + j_per_byte * bytes + j_per_block;
}

}  // namespace ampere
