#include "method/operations/work_energy.h"

#include <cmath>
#include <vector>

#include "base/nonnegative.h"
#include "base/stats.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kTerms = 8;
constexpr double kPull = 0.01;  // towards the usual law; a row counts 1
constexpr Index kRobustRows = 24;
constexpr int kReweightings = 5;
constexpr double kHuber = 1.5;             // standard deviations that count fully
constexpr double kMedianToSigma = 1.4826;  // of a normal distribution
constexpr double kLeastSigma = 1e-3;

// In the order of the formula.
Eigen::Matrix<double, 1, kTerms> terms_of(double time_s, double device_s, const WorkTerms& work) {
  Eigen::Matrix<double, 1, kTerms> terms;
  terms << time_s, device_s - work.drawn_s, work.memory_bytes, work.cache_bytes,
      work.flops[static_cast<std::size_t>(FlopClass::fp32)],
      work.flops[static_cast<std::size_t>(FlopClass::tf32)],
      work.flops[static_cast<std::size_t>(FlopClass::half)], work.grouped_s;
  return terms;
}

VectorXd coefficients_of(const WorkEnergyLaw& law) {
  VectorXd values(kTerms);
  values << law.ready_w, law.busy_w, law.j_per_memory_byte, law.j_per_cache_byte,
      law.j_per_flop[static_cast<std::size_t>(FlopClass::fp32)],
      law.j_per_flop[static_cast<std::size_t>(FlopClass::tf32)],
      law.j_per_flop[static_cast<std::size_t>(FlopClass::half)], law.grouped_w;
  return values;
}

WorkEnergyLaw law_of(const VectorXd& values) {
  return {values[0], values[1], values[2], values[3], {0, values[4], values[5], values[6]},
          values[7]};
}

VectorXd robust_weights(const VectorXd& errors) {
  const VectorXd sizes = errors.cwiseAbs();
  const double sigma =
      kMedianToSigma * median(std::span(sizes.data(), static_cast<std::size_t>(sizes.size()))) +
      kLeastSigma;
  return (kHuber * sigma / sizes.array().max(kHuber * sigma)).matrix();
}

// `shares` are the terms of each row as the scaled usual law weighs them, over the row's energy.
VectorXd pulled_fit(const MatrixXd& shares, const VectorXd& weights) {
  const VectorXd roots = weights.cwiseSqrt();
  return nonnegative_least_squares(roots.asDiagonal() * shares, roots,
                                   VectorXd::Constant(kTerms, kPull), VectorXd::Ones(kTerms));
}

}  // namespace

WorkEnergyLaw usual_energy_law() {
  return {104, 168, 129e-12, 40e-12, {0, 7.7e-12, 2.4e-12, 0.72e-12}, 100};
}

double WorkEnergyLaw::joules(double time_s, double device_s, const WorkTerms& work) const {
  return terms_of(time_s, device_s, work) * coefficients_of(*this) + work.drawn_j;
}

WorkEnergyLaw fit_work_energy(std::span<const WorkEnergyRow> rows) {
  const auto count = static_cast<Index>(rows.size());
  if (count == 0) return {};
  MatrixXd shares(count, kTerms);
  for (Index i = 0; i < count; ++i) {
    const WorkEnergyRow& row = rows[static_cast<std::size_t>(i)];
    shares.row(i) = terms_of(row.time_s, row.device_s, row.work) / row.energy_j;
  }
  VectorXd usual = coefficients_of(usual_energy_law());
  const VectorXd ratios = shares * usual;
  usual *= ratios.sum() / ratios.squaredNorm();  // the scale with the least relative errors
  shares = shares * usual.asDiagonal();
  VectorXd found = pulled_fit(shares, VectorXd::Ones(count));
  for (int again = 0; again < (count < kRobustRows ? 0 : kReweightings); ++again) {
    const VectorXd errors = (shares * found).array() - 1;
    found = pulled_fit(shares, robust_weights(errors));
  }
  return law_of(usual.cwiseProduct(found));
}

}  // namespace ampere
