#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "method/kernels/cut/columns.h"
#include "method/kernels/predict/feature_rows.h"
#include "method/kernels/predict/features.h"
#include "method/kernels/predict/law.h"
#include "method/kernels/predict/shuffled.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Ten for each of about ten features: fewer do not tell the alignment of channels from their
// number.
constexpr std::size_t kAlignmentRows = 100;

// One configuration, all its rows together.
struct Point {
  KernelConfig config;
  double log_energy = 0, log_time = 0, log_device = 0;
  int rows = 0, timed = 0, device_timed = 0;
};

std::vector<Point> merged(std::span<const TableRow> rows) {
  std::map<KernelConfig, Point> points;
  for (const TableRow& row : rows) {
    Point& point = points[row.config];
    point.config = row.config;
    point.log_energy += std::log(row.energy_j);
    ++point.rows;
    if (row.latency_s) {
      point.log_time += std::log(*row.latency_s);
      ++point.timed;
    }
    if (row.device_s) {
      point.log_device += std::log(*row.device_s);
      ++point.device_timed;
    }
  }
  std::vector<Point> result;
  for (const auto& [config, point] : points) result.push_back(point);
  return result;
}

void check_row(const std::string& type, const TableRow& row) {
  const auto bad = [](double value) { return !std::isfinite(value) || value <= 0; };
  if (bad(row.energy_j) || (row.latency_s && bad(*row.latency_s)) ||
      (row.device_s && bad(*row.device_s)))
    throw Error(ErrorCode::usage, fmt::format("line {}: a {} of {} J is no measurement", row.line,
                                              type, row.energy_j));
}

std::vector<TableRow> rows_of_type(const std::string& type, std::span<const TableRow> rows) {
  std::vector<TableRow> found;
  for (const TableRow& row : rows) {
    if (row.name != type) continue;
    check_row(type, row);
    found.push_back(row);
  }
  return found;
}

// Every size that some row says; each row has to have all of them, or they have a usual value.
std::vector<std::string> columns_of(const std::string& type, std::span<const TableRow> rows) {
  KernelConfig all;
  for (const TableRow& row : rows) all.insert(row.config.begin(), row.config.end());
  for (const TableRow& row : rows)
    for (const auto& [column, value] : all)
      if (!column_value(type, column, row.config))
        throw Error(ErrorCode::usage, fmt::format("line {}: this {} does not say its {}, as others "
                                                  "do",
                                                  row.line, type, column));
  return ordered_columns(all);
}

void check_count(const std::string& type, const std::vector<Point>& points,
                 std::span<const TableRow> rows) {
  if (static_cast<int>(points.size()) >= kLeastKernelRows) return;
  if (rows.empty()) throw Error(ErrorCode::usage, fmt::format("there is no row of {}", type));
  const auto [first, last] = std::ranges::minmax(rows, {}, &TableRow::line);
  throw Error(
      ErrorCode::usage,
      fmt::format("{} has {} different configuration{} (line{}), and a predictor needs {}", type,
                  points.size(), points.size() == 1 ? "" : "s",
                  first.line == last.line ? fmt::format(" {}", first.line)
                                          : fmt::format("s {} to {}", first.line, last.line),
                  kLeastKernelRows));
}

SharedLaw fit_law(const KernelFit& fit, const FeatureRows& rows, const VectorXd& values,
                  unsigned seed) {
  return fit.kind == PredictorKind::gp ? fit_gp_law(rows, values, seed)
                                       : fit_forest_law(fit.type, rows, values, seed);
}

// What each fold's own fit, which has seen the other folds alone, says of it.
VectorXd cross_validate(const KernelFit& fit, const FeatureRows& rows, const VectorXd& values,
                        const KernelFitOptions& options) {
  const auto folds = static_cast<Index>(options.folds);
  const std::vector<Index> order = shuffled(rows.size(), options.seed);
  VectorXd predicted(values.size());
  for (Index fold = 0; fold < std::min(folds, rows.size()); ++fold) {
    std::vector<Index> seen, unseen;
    for (std::size_t i = 0; i < order.size(); ++i)
      (static_cast<Index>(i) % folds == fold ? unseen : seen).push_back(order[i]);
    VectorXd mean, stddev;
    fit_law(fit, rows.at(seen), values(seen), options.seed)->predict(rows.at(unseen), mean, stddev);
    predicted(unseen) = mean;
  }
  return predicted;
}

Accuracy accuracy_of(const VectorXd& predicted, const VectorXd& values) {
  std::vector<Interval> answers;
  for (const double mean : predicted) answers.push_back(point(mean));
  return accuracy(answers, std::span(values.data(), static_cast<std::size_t>(values.size())));
}

void set_range(KernelFit& fit, const std::vector<Point>& points) {
  for (const std::string& column : fit.columns)
    for (const Point& point : points) {
      const std::int64_t value = column_value(fit.type, column, point.config).value();
      fit.low[column] = std::min(fit.low.try_emplace(column, value).first->second, value);
      fit.high[column] = std::max(fit.high.try_emplace(column, value).first->second, value);
    }
}

}  // namespace

const char* to_string(PredictorKind kind) { return kind == PredictorKind::gp ? "gp" : "forest"; }

PredictorKind parse_predictor_kind(const std::string& text) {
  if (text == "gp") return PredictorKind::gp;
  if (text == "forest") return PredictorKind::forest;
  throw Error(ErrorCode::usage, fmt::format("'{}' is no predictor: gp or forest", text));
}

KernelFit fit_kernel(const std::string& type, std::span<const TableRow> all,
                     const KernelFitOptions& options) {
  const std::vector<TableRow> given = rows_of_type(type, all);
  const std::vector<Point> points = merged(given);
  check_count(type, points, given);
  KernelFit fit;
  fit.type = type;
  fit.kind = options.kind;
  fit.columns = columns_of(type, given);
  if (options.sees_alignment && points.size() >= kAlignmentRows)
    fit.aligned = aligned_columns(type, fit.columns);
  fit.rows = static_cast<int>(points.size());
  set_range(fit, points);

  std::vector<KernelConfig> configs;
  VectorXd energy(static_cast<Index>(points.size())), time(energy.size()), device(energy.size());
  bool timed = true;
  std::vector<Index> device_timed;  // points
  for (std::size_t i = 0; i < points.size(); ++i) {
    configs.push_back(points[i].config);
    energy[static_cast<Index>(i)] = std::exp(points[i].log_energy / points[i].rows);
    time[static_cast<Index>(i)] = std::exp(points[i].log_time / points[i].timed);
    device[static_cast<Index>(i)] = std::exp(points[i].log_device / points[i].device_timed);
    timed = timed && points[i].timed > 0;
    if (points[i].device_timed > 0) device_timed.push_back(static_cast<Index>(i));
  }
  const FeatureRows rows = feature_rows(fit, configs);
  fit.seen = rows.logs;
  fit.errors = VectorXd::Zero(energy.size());
  fit.energy = fit_law(fit, rows, energy, options.seed);
  if (timed) fit.time = fit_law(fit, rows, time, options.seed);
  // The forest's authors know of no host.
  if (fit.kind == PredictorKind::gp && std::ssize(device_timed) >= kLeastKernelRows)
    fit.device = fit_law(fit, rows.at(device_timed), device(device_timed), options.seed);
  if (options.folds < 2) return fit;
  const VectorXd predicted = cross_validate(fit, rows, energy, options);
  fit.errors = (predicted.array() / energy.array()).log();
  fit.energy_accuracy = accuracy_of(predicted, energy);
  if (timed) fit.time_accuracy = accuracy_of(cross_validate(fit, rows, time, options), time);
  return fit;
}

KernelFitting fit_kernels(const EnergyTable& data, const KernelFitOptions& options) {
  if (data.level != TableLevel::kernel)
    throw Error(ErrorCode::usage,
                fmt::format("predictors are fitted to kernels, and these are rows of {}s",
                            to_string(data.level)));
  std::map<std::string, std::vector<TableRow>> by_type;
  std::map<std::string, Source> sources;
  for (const TableRow& row : data.rows) {
    by_type[row.name].push_back(row);
    Source& source = sources.try_emplace(row.name, Source::measured).first->second;
    source = std::max(source, source_of(data, row));
  }
  KernelFitting fitting;
  for (const auto& [type, rows] : by_type) {
    try {
      KernelFit fit = fit_kernel(type, rows, options);
      fit.source = sources.at(type);
      fitting.fits.emplace(type, std::move(fit));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::usage) throw;
      fitting.left_out[type] = error.what();
    }
  }
  return fitting;
}

bool knows_host(const KernelFits& fits) {
  return std::ranges::any_of(fits,
                             [](const auto& entry) { return entry.second.device != nullptr; });
}

FittedKernels summary_of(const KernelFitting& fitting) {
  return {{fitting.fits.begin(), fitting.fits.end()}, fitting.left_out};
}

FittedKernels try_predictors(const EnergyTable& table, PredictorKind kind, int folds) {
  return summary_of(fit_kernels(table, {.kind = kind, .folds = folds}));
}

}  // namespace ampere
