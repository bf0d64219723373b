#include <cmath>
#include <vector>

#include "base/nonnegative.h"
#include "method/kernels/kernel_fit.h"

namespace ampere {
namespace {

constexpr std::size_t kLeastNetworks = 3;
constexpr double kScaleRidge = 0.05;  // pulls the scale to 1, in squares of relative error
constexpr double kEachRidge = 1e-4;   // pulls `each` to 0, relative to its column

using Law = KernelComposition::Law;

// One quantity of a network.
struct Composed {
  double kernels = 0, sum = 0, sum_sd = 0, measured = 0;

  double by(const Law& law) const { return law.scale * sum + law.each * kernels; }
};

// Relative least squares: rows over the value they should give.
Law fit_law(const std::vector<Composed>& networks) {
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(networks.size()), 2);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const Composed& network = networks[static_cast<std::size_t>(i)];
    rows.row(i) << network.sum / network.measured, network.kernels / network.measured;
  }
  const Eigen::Vector2d ridge(kScaleRidge, kEachRidge * rows.col(1).squaredNorm()), prior(1, 0);
  const Eigen::VectorXd fitted =
      nonnegative_least_squares(rows, Eigen::VectorXd::Ones(rows.rows()), ridge, prior);
  return {fitted[0], fitted[1]};
}

struct Squares {
  double all = 0;          // of relative errors, on average
  double unexplained = 0;  // less what the kernels' predictors said they might be off
};

// Of every network by the law that `law_of` makes of the others.
template <class LawOf>
Squares left_out(const std::vector<Composed>& networks, const LawOf& law_of) {
  Squares squares;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    std::vector<Composed> others = networks;
    others.erase(others.begin() + static_cast<long>(i));
    const Composed& network = networks[i];
    const Law law = law_of(others);
    const double error = network.by(law) / network.measured - 1;
    const double expected = law.scale * network.sum_sd / network.measured;
    squares.all += error * error / static_cast<double>(networks.size());
    squares.unexplained +=
        (error * error - expected * expected) / static_cast<double>(networks.size());
  }
  return squares;
}

// The sum itself where networks that were left out say that it is closer.
Law fit_with_error(const std::vector<Composed>& networks) {
  const Squares fitted = left_out(networks, fit_law);
  const Squares plain = left_out(networks, [](const auto&) { return Law{}; });
  const bool helps = fitted.all < plain.all;
  Law law = helps ? fit_law(networks) : Law{};
  law.error = std::sqrt(std::max(0.0, (helps ? fitted : plain).unexplained));
  return law;
}

}  // namespace

std::optional<KernelComposition> fit_composition(std::span<const ComposedNetwork> networks) {
  if (networks.size() < kLeastNetworks) return std::nullopt;
  std::vector<Composed> energies, times;
  for (const ComposedNetwork& network : networks) {
    const auto kernels = static_cast<double>(network.kernels);
    energies.push_back(
        {kernels, network.sum_j.mean, assumed_error(network.sum_j), network.energy_j});
    times.push_back({kernels, network.sum_s.mean, assumed_error(network.sum_s), network.time_s});
  }
  return KernelComposition{fit_with_error(energies), fit_with_error(times),
                           static_cast<int>(networks.size())};
}

}  // namespace ampere
