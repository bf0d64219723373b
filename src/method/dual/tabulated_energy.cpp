#include "method/dual/tabulated_energy.h"

#include <algorithm>
#include <cmath>

namespace ampere {
namespace {

using Eigen::Index;

constexpr double kShortest = 1e-8;   // seconds; the law takes shorter ones than 1e-9 as that
constexpr int kMostReplaced = 1024;  // tables are added and subtracted as often, then summed anew

}  // namespace

TabulatedEnergy::TabulatedEnergy(const EnergyLaw& law)
    : law_(law), scale_(std::sqrt(5.0) / law.process.length_scale), seen_(law) {}

void TabulatedEnergy::add(const PowerBlock& power, double device_s) {
  PowerTerms row;
  resize(row, 1);
  set_row(row, 0, power, device_s);
  blocks_.push_back({power.flops, power.bytes, device_s, scale_ * row.z.row(0).transpose()});
}

void TabulatedEnergy::forget() {
  blocks_.clear();
  seen_.forget();
  last_.clear();
}

bool TabulatedEnergy::answers(std::span<const int> blocks, double stretch) const {
  return std::all_of(blocks.begin(), blocks.end(), [&](int number) {
    return std::min(1.0, stretch) * block(number).device_s > kShortest;
  });
}

DynamicEnergy::Answer TabulatedEnergy::ask(std::span<const int> blocks, double stretch) {
  DynamicEnergy::Answer answer;
  for (const int number : blocks) {
    const Block& one = block(number);
    answer.dynamic_j += law_.summed(stretch * one.device_s, one.flops, one.bytes);
  }
  if (law_.process.variance > 0) ask_process(blocks, stretch, answer);
  return answer;
}

// As DynamicEnergy: mean = w·k(seen, asked) d, variance = dᵀ k(asked, asked) d − |L⁻¹ k(seen,
// asked) d|².
void TabulatedEnergy::ask_process(std::span<const int> blocks, double stretch,
                                  DynamicEnergy::Answer& answer) {
  const SeenNetworks::Place place = seen_.place(scale_ * std::log2(stretch));
  if (last_.size() != blocks.size()) begin(blocks.size());
  if (place.interval != place_.interval || generation_ != seen_.generation() ||
      replaced_ > kMostReplaced)
    drop_tables(place);
  place_ = place;
  replace(blocks, place);
  with_seen_.noalias() = tables_ * place.weights;
  if (std::count(is_tabled_.begin(), is_tabled_.end(), false) > 0) {
    for (std::size_t i = 0; i < blocks.size(); ++i)
      if (!is_tabled_[i]) seen_.add(at(block(blocks[i]), place), device_s_[static_cast<Index>(i)]);
    seen_.take(untabled_.data());
    with_seen_ += untabled_;
  }
  with_seen_ *= stretch;
  answer.dynamic_j += law_.weights.dot(with_seen_);
  whitened_.noalias() = law_.inverse_lower.triangularView<Eigen::Lower>() * with_seen_;
  among_device_s_.noalias() = among_ * device_s_;
  const double prior = law_.process.variance * stretch * stretch * device_s_.dot(among_device_s_);
  answer.sd = std::sqrt(std::max(0.0, prior - whitened_.squaredNorm()));
}

TabulatedEnergy::Axes TabulatedEnergy::at(const Block& block, const SeenNetworks::Place& place) {
  Axes z = block.z;
  z[0] += place.log_stretch, z[1] -= place.log_stretch, z[2] -= place.log_stretch;
  return z;
}

void TabulatedEnergy::begin(std::size_t blocks) {
  const auto count = static_cast<Index>(blocks);
  last_.assign(blocks, -1);
  is_tabled_.assign(blocks, false);
  positions_ = MaternRows(count);
  among_.resize(count, count);
  device_s_.resize(count);
  untabled_.resize(seen_.size());
  generation_ = -1;  // the tables are of another network
}

void TabulatedEnergy::drop_tables(const SeenNetworks::Place& place) {
  tables_.setZero(seen_.size(), SeenNetworks::kNodes);
  is_tabled_.assign(is_tabled_.size(), false);
  generation_ = seen_.generation();
  place_ = place;
  replaced_ = 0;
}

void TabulatedEnergy::replace(std::span<const int> blocks, const SeenNetworks::Place& place) {
  changed_.clear();
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (last_[i] != blocks[i]) changed_.push_back(static_cast<Index>(i));
  if (2 * changed_.size() > blocks.size()) drop_tables(place);
  for (const Index position : changed_) {
    const auto i = static_cast<std::size_t>(position);
    if (is_tabled_[i]) add_table(i, place, -1);
    is_tabled_[i] = false;
    last_[i] = blocks[i];
    positions_.set(position, block(blocks[i]).z);
    device_s_[position] = block(blocks[i]).device_s;
  }
  for (const Index position : changed_) correlate(position);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (is_tabled_[i]) continue;
    if (seen_.table(blocks[i], at(block(blocks[i]), place), place) == nullptr) continue;
    if (generation_ != seen_.generation()) drop_tables(place);
    is_tabled_[i] = true;
    add_table(i, place, 1);
  }
}

void TabulatedEnergy::correlate(Index position) {
  positions_.clear();
  positions_.add(block(last_[static_cast<std::size_t>(position)]).z, 1);
  among_.col(position) = positions_.sums().matrix();
  among_.row(position) = positions_.sums().matrix().transpose();
}

void TabulatedEnergy::add_table(std::size_t position, const SeenNetworks::Place& place,
                                double sign) {
  tables_ +=
      sign * device_s_[static_cast<Index>(position)] * seen_.made_table(last_[position], place);
  ++replaced_;
}

}  // namespace ampere
