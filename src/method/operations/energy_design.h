// Which programs to measure so that the law of energy is known best.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "method/operations/operation_laws.h"
#include "method/operations/operation_map.h"

namespace ampere {

// A network of the zoo as it can be trained for this.
struct EnergyCandidate {
  Model model;
  Setup setup;
  Program program;
};

// Small and large ones, bound by arithmetic, memory or the host, in every number format and with
// every optimizer of the range that can be lowered.
std::vector<EnergyCandidate> energy_candidates(const SetupRange& range, const Dialect& dialect);

// The candidates in the order in which they should be measured after those in `measured` (hashes of
// programs): each is the one that makes the determinant of the information about the law's
// coefficients largest (D-optimal). What one iteration costs is guessed from the map; candidates
// that would take longer than `longest_s` per iteration are left out.
std::vector<std::size_t> design_energy(std::span<const EnergyCandidate> candidates,
                                       const OperationMap& map, const HostMap& host,
                                       const std::set<std::string>& measured, double longest_s);

}  // namespace ampere
