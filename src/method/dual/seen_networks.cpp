#include "method/dual/seen_networks.h"

#include <cmath>

namespace ampere {
namespace {

// Of the length scale; with eight nodes an interval of this length is as good as the header says.
constexpr double kInterval = 0.08;
constexpr Eigen::Index kMostNumbers = 8 << 20;  // in all tables, 64 MB

MaternSums sums_of(const EnergyLaw& law) {
  Eigen::Index rows = 0;
  std::vector<Eigen::Index> ends;
  for (const PowerTerms& network : law.seen) ends.push_back(rows += network.device_s.size());
  Eigen::MatrixXd z(rows, law.seen.empty() ? 0 : law.seen.front().z.cols());
  Eigen::VectorXd device_s(rows);
  for (std::size_t i = 0; i < law.seen.size(); ++i) {
    const Eigen::Index count = law.seen[i].device_s.size();
    z.middleRows(ends[i] - count, count) =
        std::sqrt(5.0) / law.process.length_scale * law.seen[i].z;
    device_s.segment(ends[i] - count, count) = law.seen[i].device_s;
  }
  return {z, device_s, ends};
}

}  // namespace

SeenNetworks::SeenNetworks(const EnergyLaw& law)
    : variance_(law.process.variance), interval_(kInterval * std::sqrt(5.0)), sums_(sums_of(law)) {
  for (std::size_t i = 0; i < kNodes; ++i)
    nodes_[i] = std::cos((2.0 * static_cast<double>(i) + 1) * M_PI / (2.0 * kNodes));
  for (std::size_t i = 0; i < kNodes; ++i) {
    double product = 1;
    for (std::size_t j = 0; j < kNodes; ++j)
      if (j != i) product *= nodes_[i] - nodes_[j];
    factors_[i] = 1 / product;
  }
}

void SeenNetworks::forget() {
  lines_.clear();
  tables_ = 0;
  ++generation_;
}

// The other coordinates than the first one follow: z = z0 + log2 d · (1, −1, −1, 0, 0).
void SeenNetworks::tabulate(const Axes& z, double unit, Line& line) {
  line.at_nodes.resize(size(), kNodes);
  for (int i = 0; i < kNodes; ++i) {
    Axes at = z;
    const double further = (nodes_[static_cast<std::size_t>(i)] - unit) * interval_ / 2;
    at[0] += further, at[1] -= further, at[2] -= further;
    covary(at, line.at_nodes.col(i).data());
  }
}

SeenNetworks::Place SeenNetworks::place(double log_stretch) const {
  const double at = log_stretch / interval_;
  Place place;
  place.log_stretch = log_stretch;
  place.interval = static_cast<std::int32_t>(std::floor(at));
  place.unit = 2 * (at - place.interval) - 1;
  // Lagrange: Π over all other nodes, from the products before and after each.
  double before = 1;
  for (std::size_t i = 0; i < kNodes; ++i) {
    place.weights[static_cast<Eigen::Index>(i)] = factors_[i] * before;
    before *= place.unit - nodes_[i];
  }
  double after = 1;
  for (std::size_t i = kNodes; i-- > 0;) {
    place.weights[static_cast<Eigen::Index>(i)] *= after;
    after *= place.unit - nodes_[i];
  }
  return place;
}

const Eigen::MatrixXd* SeenNetworks::table(int block, const Axes& z, const Place& place) {
  const auto index = static_cast<std::size_t>(block);
  if (index >= lines_.size()) lines_.resize(index + 1 + index / 2);
  Line& line = lines_[index][static_cast<std::size_t>(place.interval & 1)];
  if (line.interval != place.interval || line.asked == 0) {
    tables_ -= line.at_nodes.size() > 0 ? 1 : 0;
    line = {place.interval, 0, {}};
  }
  if (line.at_nodes.size() > 0) return &line.at_nodes;
  // A table takes as long as kNodes answers: it is made when as many were given without one.
  if (++line.asked <= kNodes) return nullptr;
  if ((tables_ + 1) * size() * kNodes > kMostNumbers) {
    forget();
    return nullptr;
  }
  tabulate(z, place.unit, line);
  ++tables_;
  return &line.at_nodes;
}

const Eigen::MatrixXd& SeenNetworks::made_table(int block, const Place& place) const {
  return lines_[static_cast<std::size_t>(block)][static_cast<std::size_t>(place.interval & 1)]
      .at_nodes;
}

}  // namespace ampere
