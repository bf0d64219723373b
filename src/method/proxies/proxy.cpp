#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "ampere/widths.h"
#include "estimate/interval.h"
#include "method/proxies/proxies.h"

namespace ampere {
namespace {

enum class Term { constant, flops, parameters, layers, activations };

// What the cost is a sum of, each in some proportion.
std::vector<Term> terms_of(Proxy proxy) {
  switch (proxy) {
    case Proxy::flops:
      return {Term::flops};
    case Proxy::flops_and_constant:
      return {Term::constant, Term::flops};
    case Proxy::flops_and_layers:
      return {Term::constant, Term::flops, Term::layers};
    case Proxy::parameters:
      return {Term::parameters};
    case Proxy::layers:
      return {Term::layers};
    case Proxy::activations:
      return {Term::activations};
  }
  return {};
}

double counted(Term term, const Model& model, const Setup& setup) {
  const Counts counts = count(model, setup.batch);
  switch (term) {
    case Term::constant:
      return 1;
    case Term::flops:
      return static_cast<double>(setup.phase == Phase::inference ? counts.forward_flops
                                                                 : counts.training_flops);
    case Term::parameters:
      return static_cast<double>(counts.parameters);
    case Term::layers:
      return static_cast<double>(std::ranges::count_if(model.layers(), is_parametric, &Layer::op));
    case Term::activations:
      return static_cast<double>(counts.activations);
  }
  return 0;
}

using Networks = std::span<const Observation* const>;

// Counts reach 1e12: in units of their mean the normal equations stay well-conditioned.
struct Column {
  Term term;
  double scale;
};

bool follows_from(const Eigen::MatrixXd& known, const Eigen::VectorXd& column) {
  constexpr double kTold = 1e-6;  // what varies less says nothing that rounding does not drown
  if (known.cols() == 0) return false;
  const Eigen::VectorXd rest = column - known * known.colPivHouseholderQr().solve(column);
  return rest.norm() < kTold * column.norm();
}

// Terms that the networks cannot tell from those before them are left out: the layers, where all
// networks have as many.
std::vector<Column> columns_of(Proxy proxy, Networks networks) {
  const auto rows = static_cast<Eigen::Index>(networks.size());
  std::vector<Column> columns;
  Eigen::MatrixXd known(rows, 0);
  for (const Term term : terms_of(proxy)) {
    Eigen::VectorXd column(rows);
    for (Eigen::Index i = 0; i < rows; ++i)
      column[i] = counted(term, networks[i]->model, networks[i]->setup);
    const double scale = column.mean();
    if (scale == 0) continue;
    column /= scale;
    if (follows_from(known, column)) continue;
    columns.push_back({term, scale});
    known.conservativeResize(Eigen::NoChange, known.cols() + 1);
    known.rightCols(1) = column;
  }
  if (columns.empty())
    throw Error(ErrorCode::unknown,
                "the networks that were measured have nothing of what this proxy counts; measure "
                "others",
                Remedy::run_networks);
  return columns;
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
  ProxyEstimator(Proxy proxy, Networks networks)
      : proxy_(proxy),
        setup_(networks.front()->setup),
        columns_(columns_of(proxy, networks)),
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

  std::unique_ptr<WidthJudge> judge(const Model& original) const override {
    if (proxy_ != Proxy::flops) return Estimator::judge(original);
    return make_flops_judge(original, setup_.batch,
                            estimate(original, {}).energy_j_per_iteration->mean);
  }

 private:
  Eigen::VectorXd row(const Model& model) const {
    Eigen::VectorXd x(columns_.size());
    for (Eigen::Index i = 0; i < x.size(); ++i)
      x[i] = counted(columns_[i].term, model, setup_) / columns_[i].scale;
    return x;
  }

  Eigen::MatrixXd rows(Networks networks) const {
    Eigen::MatrixXd x(networks.size(), columns_.size());
    for (Eigen::Index i = 0; i < x.rows(); ++i) x.row(i) = row(networks[i]->model);
    return x;
  }

  static Eigen::VectorXd values(Networks networks, Quantity Measurement::*statistic) {
    Eigen::VectorXd y(networks.size());
    for (Eigen::Index i = 0; i < y.size(); ++i) y[i] = (*networks[i]->measurement.*statistic).mean;
    return y;
  }

  Proxy proxy_;
  Setup setup_;
  std::vector<Column> columns_;
  Regression energy_, time_;
  Source source_ = Source::measured;
};

}  // namespace

std::unique_ptr<Estimator> fit_proxy_estimator(Proxy proxy, std::span<const Observation> networks) {
  std::vector<const Observation*> measured;
  for (const Observation& network : networks)
    if (network.measurement) measured.push_back(&network);
  if (measured.size() < terms_of(proxy).size())
    throw Error(ErrorCode::unknown,
                fmt::format("a proxy is fitted to whole networks, and {} of them {} measured; "
                            "measure some",
                            measured.size(), measured.size() == 1 ? "is" : "are"),
                Remedy::run_networks);
  return std::make_unique<ProxyEstimator>(proxy, measured);
}

}  // namespace ampere
