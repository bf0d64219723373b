// Fits the model of a part, and the models that are left when the operations of one family of
// programs are left out.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "method/operations/part_rows.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kFewestOperations = 10;  // for a process
constexpr double kPriorOperations = 4;         // without them, that pull the offset to 0
constexpr double kConstant = 1e-9;             // the deviation of a column that does not vary
constexpr double kLeastInflation = 0.5;
constexpr std::size_t kFewestResiduals = 20;  // that tell an inflation
constexpr double kQuantile = 0.8;             // of residuals, of which the normal's is 1.2816
constexpr double kNormalQuantile = 1.2816;

// The first `count` of a random order. The engine's bits are used directly, since the shuffles of
// standard libraries differ.
std::vector<Index> random_subset(std::size_t size, int count, unsigned seed) {
  std::vector<Index> order(size);
  std::iota(order.begin(), order.end(), 0);
  if (size <= static_cast<std::size_t>(count)) return order;
  std::mt19937 engine(seed);
  for (std::size_t i = size - 1; i > 0; --i) std::swap(order[i], order[engine() % (i + 1)]);
  order.resize(static_cast<std::size_t>(count));
  std::ranges::sort(order);
  return order;
}

std::vector<PartQuery> queries_of(const PartEvidence& evidence) {
  std::vector<PartQuery> queries;
  for (std::size_t i = 0; i < evidence.features.size(); ++i)
    queries.push_back({&evidence.features[i], evidence.names[i]});
  return queries;
}

// y = ln(time / roofline).
VectorXd log_ratios(const PartEvidence& evidence, const Roofline& roofline) {
  VectorXd y(static_cast<Index>(evidence.device_s.size()));
  for (std::size_t i = 0; i < evidence.device_s.size(); ++i)
    y[static_cast<Index>(i)] =
        std::log(evidence.device_s[i] / roofline.seconds(evidence.features[i].work));
  return y;
}

// The effects of names, without the operations of one family where one is given.
NameEffects names_without(const PartEvidence& evidence, const VectorXd& y,
                          const std::string* family) {
  std::vector<std::string> names;
  std::vector<double> deviations;
  const double mean = y.mean();
  for (std::size_t i = 0; i < evidence.names.size(); ++i) {
    if (family != nullptr && evidence.only_family[i] == *family) continue;
    names.push_back(evidence.names[i]);
    deviations.push_back(y[static_cast<Index>(i)] - mean);
  }
  return NameEffects::fit(names, deviations);
}

void set_scales(const MatrixXd& rows, PartModel& model) {
  model.centre = rows.colwise().mean();
  model.scale =
      (rows.rowwise() - model.centre.transpose()).array().square().colwise().mean().sqrt();
  model.scale = (model.scale.array() > kConstant).select(model.scale, 0);
}

// As numbers of four bytes have them, so that a stored profile answers as this one does.
MatrixXd rounded(const MatrixXd& values) { return values.cast<float>().cast<double>(); }

TrendedHyperparameters hyperparameters_for(const MatrixXd& z, const VectorXd& y,
                                           const PartModel& model, const PartFitOptions& options) {
  if (options.like != nullptr && options.like->has_process() &&
      options.like->process.x().cols() == z.cols() &&
      ((options.like->scale.array() > 0) == (model.scale.array() > 0)).all())
    return options.like->process.hyperparameters();
  const std::vector<Index> rows =
      random_subset(static_cast<std::size_t>(z.rows()), options.search_points, options.seed);
  return fit_trended(z(rows, Eigen::all), y(rows).array() - y.mean(), options.most_evaluations);
}

struct Residual {
  double size = 0;    // |ln(time / predicted)| / standard deviation
  double weight = 0;  // √time: long operations matter more, but not alone
};

// The smallest size that so much of the weight does not exceed.
double weighted_quantile(std::vector<Residual> residuals, double probability) {
  std::ranges::sort(residuals, {}, &Residual::size);
  double total = 0, sum = 0;
  for (const Residual& each : residuals) total += each.weight;
  for (const Residual& each : residuals) {
    sum += each.weight;
    if (sum >= probability * total) return each.size;
  }
  return residuals.back().size;
}

double inflation_of(const std::vector<Residual>& residuals) {
  if (residuals.size() < kFewestResiduals) return 1;
  return std::max(kLeastInflation, weighted_quantile(residuals, kQuantile) / kNormalQuantile);
}

void add_residuals(const ConditionedProcess::LeftOut& left_out, const std::vector<Index>& rows,
                   const PartEvidence& evidence, std::vector<Residual>& residuals) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto at = static_cast<Index>(i);
    const double deviation = std::max(kLeastMapDeviation, std::sqrt(left_out.variances[at]));
    residuals.push_back({std::abs(left_out.residuals[at]) / deviation,
                         std::sqrt(evidence.device_s[static_cast<std::size_t>(rows[i])])});
  }
}

// Those that have operations which no other has.
std::set<std::string> families_of(const PartEvidence& evidence) {
  std::set<std::string> families(evidence.only_family.begin(), evidence.only_family.end());
  families.erase("");
  return families;
}

// Only its names and its mean, when too few operations were timed for more.
PartModel simple_model(const PartEvidence& evidence, const VectorXd& y, const std::string* family) {
  PartModel model;
  model.names = names_without(evidence, y, family);
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < evidence.only_family.size(); ++i) {
    if (family != nullptr && evidence.only_family[i] == *family) continue;
    sum += y[static_cast<Index>(i)];
    ++count;
  }
  model.offset = sum / (count + kPriorOperations);
  return model;
}

// What the process would be without some of its points.
struct LeftOutFamily {
  PartModel model;
  std::vector<Residual> residuals;
};
LeftOutFamily leave_out(const std::string& family, const std::vector<Index>& points,
                        const std::vector<Index>& chosen, const ConditionedProcess& conditioned,
                        const PartEvidence& evidence, const VectorXd& y, const PartModel& whole) {
  LeftOutFamily result{simple_model(evidence, y, &family), {}};
  if (points.size() == chosen.size()) return result;  // nothing is left to predict with
  PartModel& model = result.model;
  model.centre = whole.centre;
  model.scale = whole.scale;
  model.process = whole.process;
  if (points.empty()) return result;
  const ConditionedProcess::LeftOut left_out = conditioned.without(points);
  model.process = left_out.process;
  std::vector<Index> rows;
  for (const Index point : points) rows.push_back(chosen[static_cast<std::size_t>(point)]);
  add_residuals(left_out, rows, evidence, result.residuals);
  return result;
}

}  // namespace

FittedPart fit_part(const PartEvidence& evidence, const Roofline& roofline,
                    const PartFitOptions& options) {
  FittedPart fitted;
  if (evidence.device_s.empty()) return fitted;
  const VectorXd y = log_ratios(evidence, roofline);
  const std::set<std::string> families = families_of(evidence);
  PartModel& model = fitted.model = simple_model(evidence, y, nullptr);
  if (evidence.device_s.size() < kFewestOperations) {
    for (const std::string& family : families)
      fitted.without.emplace_back(family, simple_model(evidence, y, &family));
    return fitted;
  }
  const MatrixXd rows = part_rows(queries_of(evidence), roofline, model.names);
  set_scales(rows, model);
  const MatrixXd z = standardized(model, rows);
  const TrendedHyperparameters found = hyperparameters_for(z, y, model, options);
  const std::vector<Index> chosen =
      random_subset(evidence.device_s.size(), options.most_points, options.seed + 1);
  const ConditionedProcess conditioned(found, rounded(z(chosen, Eigen::all)), y(chosen));
  model.process = conditioned.process();

  std::vector<Residual> residuals;
  for (const std::string& family : families) {
    std::vector<Index> points;
    for (std::size_t i = 0; i < chosen.size(); ++i)
      if (evidence.only_family[static_cast<std::size_t>(chosen[i])] == family)
        points.push_back(static_cast<Index>(i));
    LeftOutFamily left_out = leave_out(family, points, chosen, conditioned, evidence, y, model);
    residuals.insert(residuals.end(), left_out.residuals.begin(), left_out.residuals.end());
    fitted.without.emplace_back(family, std::move(left_out.model));
  }
  model.inflation = inflation_of(residuals);
  for (auto& [family, without] : fitted.without) without.inflation = model.inflation;
  return fitted;
}

}  // namespace ampere
