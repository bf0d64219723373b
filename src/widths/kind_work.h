// How much a block of one kind computes and moves at any features, without building it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ampere/block.h"
#include "method/dual/terms.h"

namespace ampere {

struct Work {
  double flops = 0, bytes = 0;  // of a training step
  friend bool operator==(const Work&, const Work&) = default;
};

// Both are polynomials of the second degree in the features: every number that is counted is a
// product of at most two channel counts. In Newton's form over small whole numbers they are exact.
class KindWork {
 public:
  KindWork(const BlockKind& kind, const Setup& setup);

  Work operator()(std::span<const std::int64_t> features) const;
  // Whether the form gives what is counted; a kind that it does not describe has to be built.
  bool exact() const { return exact_; }

  // f(1) and the differences Δi and Δij, row by row.
  const Work& base() const { return base_; }
  const std::vector<Work>& first() const { return first_; }
  const std::vector<Work>& second() const { return second_; }

 private:
  Work counted(std::span<const std::int64_t> steps) const;

  const BlockKind& kind_;
  Setup setup_;
  Work base_;
  std::vector<Work> first_;   // differences, one a feature
  std::vector<Work> second_;  // one a pair of features i ≤ j, row by row
  bool exact_ = false;
};

}  // namespace ampere
