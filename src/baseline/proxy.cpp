#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "ampere/baseline.h"
#include "ampere/error.h"
#include "estimate/interval.h"

namespace ampere {
namespace {

double counted(Proxy proxy, const Model& model, std::int64_t batch) {
  const Counts counts = count(model, batch);
  switch (proxy) {
    case Proxy::flops:
    case Proxy::flops_and_constant:
      return static_cast<double>(counts.training_flops);
    case Proxy::parameters:
      return static_cast<double>(counts.parameters);
    case Proxy::layers:
      return static_cast<double>(std::ranges::count_if(model.layers(), is_parametric, &Layer::op));
    case Proxy::activations:
      return static_cast<double>(counts.activations);
  }
  return 0;
}

// y ≈ Xβ by least squares; a new x is predicted with variance s²·(1 + xᵀ(XᵀX)⁻¹x).
class Regression {
 public:
  Regression(const Eigen::MatrixXd& x, const Eigen::VectorXd& y) {
    const auto freedom = static_cast<double>(x.rows() - x.cols());
    inverse_ = (x.transpose() * x).inverse();
    beta_ = x.colPivHouseholderQr().solve(y);
    variance_ = freedom > 0 ? (y - x * beta_).squaredNorm() / freedom : 0;
  }

  Quantity predict(const Eigen::VectorXd& x) const {
    return {x.dot(beta_), std::sqrt(variance_ * (1 + x.dot(inverse_ * x)))};
  }

 private:
  Eigen::VectorXd beta_;
  Eigen::MatrixXd inverse_;
  double variance_ = 0;
};

class ProxyEstimator final : public Estimator {
 public:
  ProxyEstimator(Proxy proxy, std::span<const Observation* const> networks)
      : proxy_(proxy),
        setup_(networks.front()->setup),
        scale_(scale_of(proxy, networks)),
        energy_(rows(networks), values(networks, &Measurement::energy_j)),
        time_(rows(networks), values(networks, &Measurement::time_s)) {
    for (const Observation* network : networks)
      source_ = std::max(source_, network->measurement->source);
  }

  Estimate estimate(const Model& model, const Workload& workload) const override {
    const Eigen::VectorXd x = row(model);
    Estimate result;
    result.source = source_;
    set_totals(energy_.predict(x), time_.predict(x), workload, result);
    return result;
  }

 private:
  // Counts reach 1e12: in units of their mean the normal equations stay well-conditioned.
  static double scale_of(Proxy proxy, std::span<const Observation* const> networks) {
    double sum = 0;
    for (const Observation* network : networks)
      sum += counted(proxy, network->model, network->setup.batch);
    return sum > 0 ? sum / static_cast<double>(networks.size()) : 1;
  }

  Eigen::VectorXd row(const Model& model) const {
    const double x = counted(proxy_, model, setup_.batch) / scale_;
    if (proxy_ == Proxy::flops_and_constant) return Eigen::Vector2d(x, 1);
    return Eigen::VectorXd::Constant(1, x);
  }

  Eigen::MatrixXd rows(std::span<const Observation* const> networks) const {
    Eigen::MatrixXd x(networks.size(), row(networks.front()->model).size());
    for (Eigen::Index i = 0; i < x.rows(); ++i) x.row(i) = row(networks[i]->model);
    return x;
  }

  static Eigen::VectorXd values(std::span<const Observation* const> networks,
                                Statistic Measurement::*statistic) {
    Eigen::VectorXd y(networks.size());
    for (Eigen::Index i = 0; i < y.size(); ++i) y[i] = (*networks[i]->measurement.*statistic).mean;
    return y;
  }

  Proxy proxy_;
  Setup setup_;
  double scale_;
  Regression energy_, time_;
  Source source_ = Source::measured;
};

}  // namespace

std::unique_ptr<Estimator> fit_proxy_estimator(Proxy proxy, std::span<const Observation> networks) {
  std::vector<const Observation*> measured;
  for (const Observation& network : networks)
    if (network.measurement) measured.push_back(&network);
  const std::size_t needed = proxy == Proxy::flops_and_constant ? 2 : 1;
  if (measured.size() < needed)
    throw Error(ErrorCode::unknown,
                fmt::format("a proxy is fitted to whole networks, and {} of them {} measured; "
                            "measure some with `ampere run`",
                            measured.size(), measured.size() == 1 ? "is" : "are"));
  return std::make_unique<ProxyEstimator>(proxy, measured);
}

}  // namespace ampere
