// How the widths of a block show in its time: smoothly, and in steps where they do or do not fill
// the device's tiles.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <span>

namespace ampere {

using Widths = std::span<const std::int64_t>;

// 1, logarithms, their squares and products: the smooth trend of log time.
Eigen::VectorXd trend_features(Widths widths);

// For trees: the widths, what is left of them over powers of two, and the same of a convolution's
// rows (taps · c), which matrix units work on.
Eigen::VectorXd tile_features(Widths widths, std::int64_t taps);

// The last of them, which follow from all widths together; the others are those of one width after
// the other.
Eigen::VectorXd joint_tile_features(Widths widths);

// For a Gaussian process: logarithms, how often 2 divides them, phases within a tile of 64.
Eigen::VectorXd phase_features(Widths widths, std::int64_t taps);

// For the host, whose work grows where a library launches more kernels.
Eigen::VectorXd launch_features(Widths widths);

}  // namespace ampere
