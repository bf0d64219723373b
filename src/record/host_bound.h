// Whether a network waits for the host or for the device, and how alike hosts slow networks down.
#pragma once

namespace ampere {

// A network waits for the host when an iteration takes at least this many times its device time.
inline constexpr double kHostBound = 1.05;

// The share of a change of the host's speed by which a network deviates from what the reference
// network shows (standard deviation). Chosen by the interval score on recordings of training with
// LibTorch (docs/results/h200-training.md).
inline constexpr double kUnevenChange = 0.3;

}  // namespace ampere
