#include "gp/search.h"

#include <nlopt.h>

#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "ampere/error.h"

namespace ampere {
namespace {

// A climb ends when a step gains less than `gain`, or no slope it may follow is over `slope`.
struct Tolerance {
  double gain, slope;
};

// Enough to tell hills apart, and what the best of them is then refined to.
constexpr Tolerance kCoarse{1e-2, 1e-2};
constexpr Tolerance kFine{1e-9, 1e-5};
constexpr double kEnough = 1e-7;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kMostClimbs = 20;
constexpr int kMostEvaluations = 300;

// One climb: what the C library calls back into, and the best it has seen. An exception may not
// pass through C frames, so it waits here.
struct Climb {
  const SmoothFunction& function;
  const Box& box;
  double slope;
  nlopt_opt optimiser;
  Optimum best;
  Eigen::VectorXd at, gradient;
  std::exception_ptr thrown;
};

// The steepest way up that does not leave the box.
double steepest(const Climb& climb) {
  const auto up = climb.gradient.array() > 0;
  const auto blocked = (up && climb.at.array() >= climb.box.upper.array()) ||
                       (!up && climb.at.array() <= climb.box.lower.array());
  return blocked.select(0, climb.gradient.array()).abs().maxCoeff();
}

double evaluate(unsigned size, const double* at, double* gradient, void* data) {
  Climb& climb = *static_cast<Climb*>(data);
  try {
    climb.at = Eigen::Map<const Eigen::VectorXd>(at, size);
    const double value = climb.function(climb.at, &climb.gradient);
    if (gradient) Eigen::Map<Eigen::VectorXd>(gradient, size) = climb.gradient;
    if (value > climb.best.value) climb.best = {climb.at, value};
    if (steepest(climb) < climb.slope) nlopt_force_stop(climb.optimiser);
    return value;
  } catch (...) {
    climb.thrown = std::current_exception();
    nlopt_force_stop(climb.optimiser);
    return -HUGE_VAL;
  }
}

struct DestroyOptimiser {
  void operator()(nlopt_opt optimiser) const { nlopt_destroy(optimiser); }
};
using Optimiser = std::unique_ptr<std::remove_pointer_t<nlopt_opt>, DestroyOptimiser>;

// The result code is not looked at: L-BFGS reports failure when rounding error ends its line
// search, which at an optimum is the normal end.
Optimum climb_from(const Eigen::VectorXd& start, const SmoothFunction& function, const Box& box,
                   const Tolerance& tolerance, int most_evaluations = kMostEvaluations) {
  const Optimiser optimiser(nlopt_create(NLOPT_LD_LBFGS, static_cast<unsigned>(start.size())));
  if (!optimiser) throw Error(ErrorCode::failed, "NLopt has no L-BFGS: install NLopt 2.4 or newer");
  Climb state{function, box, tolerance.slope, optimiser.get(), {start, -kInfinity}, {}, {}, {}};
  nlopt_set_max_objective(optimiser.get(), evaluate, &state);
  nlopt_set_lower_bounds(optimiser.get(), box.lower.data());
  nlopt_set_upper_bounds(optimiser.get(), box.upper.data());
  nlopt_set_ftol_abs(optimiser.get(), tolerance.gain);
  nlopt_set_maxeval(optimiser.get(), most_evaluations);
  Eigen::VectorXd at = start;
  double value = 0;
  nlopt_optimize(optimiser.get(), at.data(), &value);
  if (state.thrown) std::rethrow_exception(state.thrown);
  return state.best;
}

// Where the function hardly rises towards a bound, a climb stops on the way; so the bounds
// themselves are tried, one coordinate at a time.
void try_bounds(Optimum& best, const SmoothFunction& function, const Box& box) {
  Eigen::VectorXd gradient;
  function(best.at, &gradient);
  for (Eigen::Index i = 0; i < gradient.size(); ++i) {
    Eigen::VectorXd at = best.at;
    at(i) = gradient(i) > 0 ? box.upper(i) : box.lower(i);
    if (at(i) == best.at(i)) continue;
    const double value = function(at, nullptr);
    if (value > best.value) best = {std::move(at), value};
  }
}

// A climb often ends short of the top; beginning anew there, without the memory of the old
// curvature, gets it going again.
Optimum refine(Optimum best, const SmoothFunction& function, const Box& box) {
  for (int again = 0; again < kMostClimbs; ++again) {
    const double before = best.value;
    try_bounds(best, function, box);
    best = climb_from(best.at, function, box, kFine);
    if (best.value - before < kEnough) break;
  }
  return best;
}

}  // namespace

Optimum maximise(const SmoothFunction& function, const Box& box,
                 const std::vector<Eigen::VectorXd>& starts) {
  Optimum best{starts.front(), -kInfinity};
  for (const Eigen::VectorXd& start : starts) {
    const Optimum optimum = climb_from(start, function, box, kCoarse);
    if (optimum.value > best.value) best = optimum;
  }
  return refine(std::move(best), function, box);
}

Optimum climb(const SmoothFunction& function, const Box& box, const Eigen::VectorXd& start,
              int most_evaluations) {
  return climb_from(start, function, box, kCoarse, most_evaluations);
}

}  // namespace ampere
