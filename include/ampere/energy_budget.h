// What training may cost: as it is asked for, and as a network is held to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ampere {

// What training may cost, as it is asked for.
struct Budget {
  enum class Kind { share_of_original, joules_per_iteration, joules_of_run, share_of_battery };
  Kind kind = Kind::share_of_original;
  double amount = 1;  // shares as fractions, energies in joules
};

// "50%" of the original; "0.4J", "300mJ", "2Wh" an iteration; "2kJ total", "1.5Wh total" for the
// whole training; "3%battery" of one charge for the whole training. Throws Error(usage) naming the
// text for anything else, and for amounts that are not above 0 or shares above 100 %.
Budget parse_budget(std::string_view text);
std::string to_string(const Budget& budget);

// Joules per iteration. Throws Error(usage) where the budget needs what is not given: the energy of
// an iteration of the original, the iterations of the training, the joules of a charge.
double resolve(const Budget& budget, std::optional<double> original_j,
               std::optional<std::int64_t> iterations, std::optional<double> battery_j);

// Per iteration. A network is inside when its mean + z·sd is at most `joules`, z being the
// one-sided quantile of `confidence`: then it costs more with a probability of 1 − confidence at
// the most, as far as its judge is right. The promise is about joules. Where these are a share of
// an estimate of the original, what that estimate errs by is no part of it; the errors of both go
// the same way mostly, so that the ratio is met more surely than the joules.
struct EnergyBudget {
  double joules = 0;
  double confidence = 0.95;
};

}  // namespace ampere
