// How far the ways of a suite are off, beside what is commonly used instead.
#include <algorithm>
#include <cmath>
#include <functional>

#include "ampere/evaluate.h"
#include "base/stats.h"
#include "method/operations/relative_fit.h"

namespace ampere {
namespace {

bool counts(const SuiteResult& result) {
  return result.measured && result.estimates.size() == kSuiteWays;
}

bool inside(const Interval& interval, double value) {
  return value >= interval.low && value <= interval.high;
}

SuiteScore score_of_errors(const std::string& name, const std::vector<double>& errors) {
  SuiteScore score;
  score.name = name;
  score.steps = static_cast<int>(errors.size());
  std::vector<double> sizes;
  for (const double error : errors) sizes.push_back(std::abs(error));
  score.energy_mape = mean(sizes);
  score.energy_bias = mean(errors);
  score.energy_p90 = quantile(sizes, 0.9);
  return score;
}

SuiteScore score_way(const std::vector<const SuiteResult*>& results, SuiteWay way) {
  std::vector<double> energy_errors, time_errors;
  double energy_inside = 0, time_inside = 0;
  for (const SuiteResult* result : results) {
    const SuiteEstimate& estimate = result->estimates[static_cast<std::size_t>(way)];
    const double energy_j = result->measured->energy_j.mean, time_s = result->measured->time_s.mean;
    energy_errors.push_back(estimate.energy_j.mean / energy_j - 1);
    time_errors.push_back(std::abs(estimate.time_s.mean / time_s - 1));
    energy_inside += inside(estimate.energy_j, energy_j) ? 1 : 0;
    time_inside += inside(estimate.time_s, time_s) ? 1 : 0;
  }
  SuiteScore score = score_of_errors(to_string(way), energy_errors);
  const auto steps = static_cast<double>(results.size());
  score.energy_coverage = energy_inside / steps;
  score.time_mape = mean(time_errors);
  score.time_coverage = time_inside / steps;
  return score;
}

// Energy as a sum of terms with coefficients that are not negative.
struct Baseline {
  const char* name;
  std::function<Eigen::VectorXd(const SuiteResult&)> terms;
};

std::vector<Baseline> baselines() {
  return {{"FLOPs and a constant",
           [](const SuiteResult& each) { return Eigen::Vector2d(each.flops, 1); }},
          {"FLOPs, bytes and operations",
           [](const SuiteResult& each) {
             return Eigen::Vector3d(each.flops, each.bytes, each.operations);
           }},
          {"roofline and operations", [](const SuiteResult& each) {
             return Eigen::Vector2d(each.roofline_s, each.operations);
           }}};
}

// Nothing when no step of another family has the same format.
std::optional<double> predict(const Baseline& baseline,
                              const std::vector<const SuiteResult*>& results,
                              const SuiteResult& asked) {
  std::vector<const SuiteResult*> others;
  for (const SuiteResult* each : results)
    if (each->family != asked.family && each->half == asked.half) others.push_back(each);
  if (others.empty()) return std::nullopt;
  const Eigen::VectorXd terms = baseline.terms(asked);
  Eigen::MatrixXd rows(std::ssize(others), terms.size());
  Eigen::VectorXd targets(std::ssize(others));
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const SuiteResult& other = *others[static_cast<std::size_t>(i)];
    rows.row(i) = baseline.terms(other).transpose();
    targets(i) = other.measured->energy_j.mean;
  }
  return terms.dot(fit_relative(rows, targets, Eigen::VectorXd::Ones(rows.rows())));
}

}  // namespace

std::vector<SuiteScore> score_suite(const std::vector<SuiteResult>& results) {
  std::vector<const SuiteResult*> counting;
  for (const SuiteResult& each : results)
    if (counts(each)) counting.push_back(&each);
  std::vector<SuiteScore> scores;
  if (counting.empty()) return scores;
  for (std::size_t way = 0; way < kSuiteWays; ++way)
    scores.push_back(score_way(counting, static_cast<SuiteWay>(way)));
  for (const Baseline& baseline : baselines()) {
    std::vector<double> errors;
    for (const SuiteResult* each : counting)
      if (const auto energy_j = predict(baseline, counting, *each))
        errors.push_back(*energy_j / each->measured->energy_j.mean - 1);
    if (!errors.empty()) scores.push_back(score_of_errors(baseline.name, errors));
  }
  return scores;
}

}  // namespace ampere
