// The energy of an iteration:
//   E = P0 T + P1 S + c_m bytes from memory + c_c bytes from the cache
//     + c_32 F_fp32 + c_tf F_tf32 + c_16 F_half + P_g S_g
// where S_g is the time of grouped convolutions of full numbers. Operations whose energy was
// measured add that instead, and are in no term but the first.
#pragma once

#include <array>
#include <span>
#include <string>

#include "method/operations/program_terms.h"

namespace ampere {

struct WorkEnergyLaw {
  double ready_w = 0;  // P0: of the whole iteration
  double busy_w = 0;   // P1: on top while the device computes
  double j_per_memory_byte = 0, j_per_cache_byte = 0;
  std::array<double, kFlopClasses> j_per_flop{};  // by FlopClass; none costs nothing
  double grouped_w = 0;                           // P_g: on top of both

  double joules(double time_s, double device_s, const WorkTerms& work) const;
};

// What the coefficients of a large GPU are like.
WorkEnergyLaw usual_energy_law();

// One iteration of a program that was measured.
struct WorkEnergyRow {
  double time_s = 0, device_s = 0;
  WorkTerms work;
  double energy_j = 0;
  std::string family = {};  // of the program
  bool elsewhere = false;   // in another sitting with a device of this kind (other_sittings.h)
};
// Non-negative least squares of relative errors. Where the rows say little about a coefficient it
// stays near that of the usual law, which is scaled to this device first. From 24 rows on, rows
// that err by more than 1.5 robust standard deviations count less. Nothing but zeros without rows.
WorkEnergyLaw fit_work_energy(std::span<const WorkEnergyRow> rows);

}  // namespace ampere
