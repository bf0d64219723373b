#include <algorithm>
#include <cmath>

#include "method/kernels/cut/columns.h"
#include "method/kernels/predict/feature_rows.h"
#include "method/kernels/predict/features.h"

namespace ampere {

FeatureRows feature_rows(const KernelFit& fit, std::span<const KernelConfig> configs) {
  const auto count = static_cast<Eigen::Index>(configs.size());
  const Eigen::Index columns = feature_count(fit.type, fit.columns);
  FeatureRows rows{Eigen::MatrixXd(count, columns),
                   Eigen::MatrixXd(count, columns + std::ssize(fit.aligned))};
  for (Eigen::Index i = 0; i < count; ++i) {
    const KernelConfig& config = configs[static_cast<std::size_t>(i)];
    rows.plain.row(i) = kernel_features(fit.type, fit.columns, config);
    rows.logs.row(i) = log_features(fit.type, fit.columns, fit.aligned, config);
  }
  return rows;
}

bool is_extrapolated(const KernelFit& fit, const KernelConfig& config) {
  const auto looked_at = [&](const std::string& column) {
    return std::ranges::find(fit.columns, column) != fit.columns.end();
  };
  for (const auto& [column, value] : config)
    if (!looked_at(column) && usual_value(fit.type, column, config) != value) return true;
  return std::ranges::any_of(fit.columns, [&](const std::string& column) {
    const auto value = column_value(fit.type, column, config);
    return value < fit.low.at(column) || value > fit.high.at(column);
  });
}

std::vector<KernelCost> predict(const KernelFit& fit, std::span<const KernelConfig> configs) {
  const FeatureRows rows = feature_rows(fit, configs);
  Eigen::VectorXd energy, energy_stddev, time, time_stddev;
  fit.energy->predict(rows, energy, energy_stddev);
  if (fit.time) fit.time->predict(rows, time, time_stddev);
  std::vector<KernelCost> costs;
  costs.reserve(configs.size());
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    KernelCost& cost = costs.emplace_back();
    cost.energy_j = {energy[row], energy_stddev[row]};
    if (fit.time) cost.time_s = {time[row], time_stddev[row]};
    cost.extrapolated = is_extrapolated(fit, configs[i]);
  }
  return costs;
}

KernelCost predict(const KernelFit& fit, const KernelConfig& config) {
  return predict(fit, std::span(&config, 1)).front();
}

}  // namespace ampere
