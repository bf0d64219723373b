// The energy of an iteration:
//   E = P0 T + P1 S + c_m bytes from memory + c_c bytes from the cache
//     + c_32 F_fp32 + c_tf F_tf32 + c_16 F_half + c_g F_grouped + c_k calls.
#pragma once

#include <array>
#include <span>

#include "method/operations/program_terms.h"

namespace ampere {

struct WorkEnergyLaw {
  double ready_w = 0;  // P0: of the whole iteration
  double busy_w = 0;   // P1: on top while the device computes
  double j_per_memory_byte = 0, j_per_cache_byte = 0;
  std::array<double, kFlopClasses> j_per_flop{};  // by FlopClass; none costs nothing
  double j_per_grouped_flop = 0;
  double j_per_call = 0;

  double work_j(const WorkTerms& work) const;  // without what depends on times
  double joules(double time_s, double device_s, const WorkTerms& work) const;
};

struct WorkEnergyRow {
  double time_s = 0, device_s = 0;
  WorkTerms work;
  double energy_j = 0;
};
// Non-negative least squares of relative errors. From 24 rows on, rows that err by more than 1.5
// robust standard deviations count less.
WorkEnergyLaw fit_work_energy(std::span<const WorkEnergyRow> rows);

}  // namespace ampere
