#include <algorithm>
#include <cmath>

#include "base/nonnegative.h"
#include "method/dual/time_law.h"
#include "record/host_bound.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kCommon = 4;  // coefficients of device time that all kinds share
constexpr double kDefaultHostError = 0.1;
constexpr double kLeastHostError = 0.02;
constexpr double kKindRidge = 0.05;   // pulls the kinds' own host times to 0, in relative error
constexpr double kScaleRidge = 0.05;  // pulls scales to 1
constexpr std::size_t kMostFolds = 40;
constexpr std::size_t kLeastHostBound = 4;
constexpr int kRounds = 3;  // of choosing the host-bound networks by the law fitted to them
constexpr double kWorthLessOverlap = 0.8;  // squares must fall to this share to leave T = max

// The h that gives this T: the longer of the two, or else the shorter.
double host_from(double time_s, double device_s, double overlap) {
  const double longer = time_s - (1 - overlap) * device_s;
  return longer >= device_s || overlap >= 1 ? longer : (time_s - device_s) / (1 - overlap);
}

double host_of(const TimeLaw& law, const MappedNetwork& network) {
  double host = law.host_constant;
  for (std::size_t i = 0; i < network.blocks.size(); ++i)
    host += law.host_share(law.of_kind(network.blocks[i].kind), network.times[i].host_s);
  return host;
}

double device_of(const TimeLaw& law, const MappedNetwork& network) {
  double device = law.device_constant;
  for (std::size_t i = 0; i < network.blocks.size(); ++i)
    device += law.device_share(law.of_kind(network.blocks[i].kind), network.times[i].device_s,
                               network.blocks[i].bytes);
  return device;
}

using Networks = std::vector<const MeasuredNetwork*>;

double device_target(const MeasuredNetwork& network, bool synchronous) {
  return synchronous ? network.steady_s : network.known_device_s(false);
}

std::vector<std::string> kinds_of(const Networks& networks) {
  std::map<std::string, int> kinds;
  for (const MeasuredNetwork* network : networks)
    for (const auto& [kind, count] : network->network.kinds) kinds[kind] += count;
  std::vector<std::string> names;
  for (const auto& [kind, count] : kinds) names.push_back(kind);
  return names;
}

// Relative least squares: rows over the value they should give.
void fit_device(TimeLaw& law, const Networks& timed, bool with_kinds) {
  const std::vector<std::string> kinds = with_kinds ? kinds_of(timed) : std::vector<std::string>{};
  MatrixXd rows =
      MatrixXd::Zero(static_cast<Index>(timed.size()), static_cast<Index>(kinds.size()) + kCommon);
  double typical = 0;
  for (std::size_t i = 0; i < timed.size(); ++i) {
    const MappedNetwork& network = timed[i]->network;
    const double value = device_target(*timed[i], law.synchronous);
    const auto row = static_cast<Index>(i);
    rows.row(row).head(kCommon) << 1 / value, network.device_s / value,
        static_cast<double>(network.blocks.size()) / value, network.bytes() / value;
    for (std::size_t k = 0; k < kinds.size(); ++k)
      if (const auto own = network.device_s_of_kind.find(kinds[k]);
          own != network.device_s_of_kind.end())
        rows(row, static_cast<Index>(k) + kCommon) = own->second / value;
    typical += value / static_cast<double>(timed.size());
  }
  VectorXd ridge = VectorXd::Constant(rows.cols(), kScaleRidge);
  ridge[0] = ridge[2] = 1e-4 / (typical * typical);
  ridge[3] = 1e-4 * rows.col(3).squaredNorm();
  VectorXd prior = VectorXd::Zero(rows.cols());
  prior[1] = 1;
  const VectorXd fitted =
      nonnegative_least_squares(rows, VectorXd::Ones(rows.rows()), ridge, prior);
  law.device_constant = fitted[0], law.device_scale = fitted[1], law.device_per_block = fitted[2];
  law.device_per_byte = fitted[3];
  law.device_scale_of_kind.clear();
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (fitted[static_cast<Index>(k) + kCommon] > 0)
      law.device_scale_of_kind[kinds[k]] = fitted[static_cast<Index>(k) + kCommon];
}

double device_squares(const TimeLaw& law, const Networks& networks) {
  double squares = 0;
  for (const MeasuredNetwork* network : networks)
    squares += std::pow(
        device_of(law, network->network) / device_target(*network, law.synchronous) - 1, 2);
  return squares;
}

// Of every network by the law that was fitted to the others, or to all but its share of them where
// they are many.
template <class Fit, class Squares>
double left_out_squares(const TimeLaw& law, const Networks& networks, const Fit& fit,
                        const Squares& squares) {
  double sum = 0;
  const std::size_t folds = std::min(networks.size(), kMostFolds);
  for (std::size_t fold = 0; fold < folds; ++fold) {
    Networks others, left;
    for (std::size_t i = 0; i < networks.size(); ++i)
      (i % folds == fold ? left : others).push_back(networks[i]);
    TimeLaw without = law;
    fit(without, others);
    sum += squares(without, left);
  }
  return sum;
}

void fit_device(TimeLaw& law, const Networks& networks) {
  Networks timed;
  for (const MeasuredNetwork* network : networks)
    if (law.synchronous || network->device_s) timed.push_back(network);
  if (timed.empty()) return;
  const auto left_out = [&](bool with_kinds) {
    return left_out_squares(
        law, timed,
        [&](TimeLaw& without, const Networks& others) { fit_device(without, others, with_kinds); },
        device_squares);
  };
  const bool with_kinds = timed.size() > 2 && left_out(true) < left_out(false);
  fit_device(law, timed, with_kinds);
  double expected = 0;
  for (const MeasuredNetwork* network : timed)
    expected += std::pow(network->network.device_error, 2);
  const auto freedom = std::max(1.0, static_cast<double>(timed.size()) - 2);
  law.device_error = std::sqrt(std::max(0.0, (device_squares(law, timed) - expected) / freedom));
}

void fit_host(TimeLaw& law, const Networks& bound, bool with_kinds) {
  const std::vector<std::string> kinds = with_kinds ? kinds_of(bound) : std::vector<std::string>{};
  MatrixXd rows(static_cast<Index>(bound.size()), static_cast<Index>(kinds.size()) + 2);
  double typical = 0;
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const double host = host_from(bound[i]->steady_s, bound[i]->known_device_s(false), law.overlap);
    const auto row = static_cast<Index>(i);
    rows(row, 0) = bound[i]->network.host_s / host;
    rows(row, 1) = 1 / host;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const auto found = bound[i]->network.kinds.find(kinds[k]);
      rows(row, static_cast<Index>(k) + 2) =
          found == bound[i]->network.kinds.end() ? 0 : found->second / host;
    }
    typical += host / static_cast<double>(bound.size());
  }
  VectorXd ridge = VectorXd::Constant(rows.cols(), kKindRidge / std::pow(typical / 8, 2));
  VectorXd prior = VectorXd::Zero(rows.cols());
  ridge[0] = kScaleRidge, prior[0] = 1;
  ridge[1] = 1e-4 / (typical * typical);
  const VectorXd fitted =
      nonnegative_least_squares(rows, VectorXd::Ones(rows.rows()), ridge, prior);
  law.host_scale = fitted[0], law.host_constant = fitted[1];
  law.host_per_kind.clear();
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (fitted[static_cast<Index>(k) + 2] > 0)
      law.host_per_kind[kinds[k]] = fitted[static_cast<Index>(k) + 2];
}

double relative_squares(const TimeLaw& law, const Networks& networks) {
  double squares = 0;
  for (const MeasuredNetwork* network : networks) {
    const double device = network->device_s.value_or(device_of(law, network->network));
    squares += std::pow(
        composed_time(host_of(law, network->network), device, law.overlap) / network->steady_s - 1,
        2);
  }
  return squares;
}

void fit_overlap(TimeLaw& law, const Networks& networks, const Networks& bound) {
  fit_host(law, bound, false);
  TimeLaw best = law;
  double least = kWorthLessOverlap * relative_squares(law, networks);
  for (int tenths = 9; tenths >= 0; --tenths) {
    TimeLaw other = law;
    other.overlap = tenths / 10.0;
    fit_host(other, bound, false);
    const double squares = relative_squares(other, networks);
    if (squares >= least) continue;
    least = squares;
    best = other;
  }
  law = best;
}

Networks host_bound(const Networks& networks) {
  Networks bound;
  for (const MeasuredNetwork* network : networks)
    if (network->steady_s > kHostBound * network->known_device_s(false)) bound.push_back(network);
  return bound;
}

// By what the law says instead of what was measured: among networks near the border noise chooses
// those that took long.
Networks expected_host_bound(const TimeLaw& law, const Networks& networks) {
  Networks bound;
  for (const MeasuredNetwork* network : networks)
    if (host_of(law, network->network) > kHostBound * network->known_device_s(false))
      bound.push_back(network);
  return bound;
}

}  // namespace

TimeLaw fit_time_law(const Networks& networks, bool synchronous) {
  TimeLaw law;
  law.synchronous = synchronous;
  law.host_error = kDefaultHostError;
  fit_device(law, networks);
  if (synchronous) return law;
  Networks bound = host_bound(networks);
  if (bound.size() < kLeastHostBound) return law;
  fit_overlap(law, networks, bound);
  for (int round = 0; law.overlap >= 1 && round < kRounds; ++round) {
    Networks expected = expected_host_bound(law, networks);
    if (expected.size() < kLeastHostBound) break;
    bound = std::move(expected);
    fit_host(law, bound, false);
  }
  const auto left_out = [&](bool with_kinds) {
    return left_out_squares(
        law, bound,
        [&](TimeLaw& without, const Networks& others) { fit_host(without, others, with_kinds); },
        relative_squares);
  };
  const double plain = left_out(false), by_kind = left_out(true);
  fit_host(law, bound, by_kind < plain);
  // At the speeds the host really had: a network that is asked for meets those again.
  double squares = 0;
  for (const MeasuredNetwork* network : bound)
    squares += std::pow(
        composed_time(host_of(law, network->network), network->known_device_s(false), law.overlap) /
                network->time_s -
            1,
        2);
  const auto count = static_cast<double>(bound.size());
  law.host_error =
      std::max(kLeastHostError, std::sqrt(std::max(squares, std::min(plain, by_kind)) / count));
  return law;
}

}  // namespace ampere
