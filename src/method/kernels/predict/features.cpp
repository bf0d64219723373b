#include "method/kernels/predict/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "ampere/error.h"
#include "base/factors_of_two.h"
#include "method/kernels/cut/columns.h"

namespace ampere {
namespace {

constexpr int kMostFactors = 5;  // of two: vectors of 32 are the widest that matter

struct KernelWork {
  double flops = 0, parameters = 0;
};

// DeepEn2023's formulas: parameters = Cout (K² Cin + 1), FLOPs = 2 (HW / S)² · parameters, with
// groups and rectangles as they are. A depthwise convolution has one filter a channel.
KernelWork convolution(const std::string& type, const KernelConfig& config) {
  const auto at = [&](const char* column) {
    return static_cast<double>(column_value(type, column, config).value_or(1));
  };
  const bool depthwise = first_operator(type) == "dwconv";
  const bool image = type.find('@') == std::string::npos;
  const double kernel = at("KERNEL_SIZE") * (image ? at("KERNEL_W") : 1);
  const double positions =
      image ? std::ceil(at("HW") / at("STRIDES")) * std::ceil(at("W") / at("STRIDE_W"))
            : std::ceil(at("L") / at("STRIDES"));
  const double inputs = depthwise ? 1 : at("CIN") / at("GROUPS");
  const double parameters = (depthwise ? at("CIN") : at("COUT")) * (kernel * inputs + 1);
  return {2 * positions * parameters, parameters};
}

std::optional<KernelWork> work_of(const std::string& type, const KernelConfig& config) {
  const std::string first = first_operator(type);
  if (first.ends_with("conv") || first == "convtranspose") return convolution(type, config);
  if (first != "fc") return std::nullopt;
  const auto at = [&](const char* column) {
    return static_cast<double>(column_value(type, column, config).value_or(1));
  };
  const double parameters = at("COUT") * (at("CIN") + 1);
  return KernelWork{2 * at("T") * parameters, parameters};
}

double size_of(const std::string& type, const std::string& column, const KernelConfig& config) {
  const auto value = column_value(type, column, config);
  if (!value)
    throw Error(ErrorCode::usage,
                fmt::format("the {} with {} does not say its {}", type, to_string(config), column));
  return static_cast<double>(*value);
}

}  // namespace

Eigen::Index feature_count(const std::string& type, std::span<const std::string> columns) {
  return static_cast<Eigen::Index>(columns.size()) + (work_of(type, {}) ? 2 : 0);
}

Eigen::VectorXd kernel_features(const std::string& type, std::span<const std::string> columns,
                                const KernelConfig& config) {
  const std::optional<KernelWork> work = work_of(type, config);
  Eigen::VectorXd features(feature_count(type, columns));
  Eigen::Index next = 0;
  for (const std::string& column : columns) features[next++] = size_of(type, column, config);
  if (work) {
    features[next++] = work->flops / 2e6;
    features[next++] = work->parameters / 1e6;
  }
  return features;
}

std::vector<std::string> aligned_columns(const std::string& type,
                                         std::span<const std::string> columns) {
  const std::string first = first_operator(type);
  if (first != "conv" && first != "gconv" && first != "convtranspose") return {};
  std::vector<std::string> aligned;
  for (const std::string& column : columns)
    if (column == "CIN" || column == "COUT") aligned.push_back(column);
  return aligned;
}

Eigen::VectorXd log_features(const std::string& type, std::span<const std::string> columns,
                             std::span<const std::string> aligned, const KernelConfig& config) {
  const Eigen::VectorXd plain = kernel_features(type, columns, config);
  Eigen::VectorXd features(plain.size() + std::ssize(aligned));
  for (Eigen::Index i = 0; i < plain.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool zero = at < columns.size() && may_be_zero(columns[at]);
    features[i] = zero ? std::log1p(plain[i]) : std::log(plain[i]);
  }
  for (Eigen::Index i = plain.size(); i < features.size(); ++i) {
    const std::string& column = aligned[static_cast<std::size_t>(i - plain.size())];
    features[i] =
        factors_of_two(static_cast<std::int64_t>(size_of(type, column, config)), kMostFactors);
  }
  return features;
}

}  // namespace ampere
