// What a decode costs over the length of its context: straight lines between the contexts that were
// traced, and nothing outside of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ampere/estimate.h"

namespace ampere {

class ContextCurve {
 public:
  struct Knot {
    std::int64_t context = 0;
    Interval cost;
  };
  // At least one knot, in the order of their contexts, no context twice.
  explicit ContextCurve(std::vector<Knot> knots);

  std::int64_t first() const { return knots_.front().context; }
  std::int64_t last() const { return knots_.back().context; }

  // The context is between first() and last(); this and sum() include the error of the lines.
  Interval at(std::int64_t context) const;

  // Of all contexts from `begin` to `end`, both included: ends of intervals add up as means do,
  // because the error of an estimate is the same at every context.
  Interval sum(std::int64_t begin, std::int64_t end) const;

  // The largest relative difference between a knot and the line through its two neighbours; nothing
  // where no knot has two.
  std::optional<double> line_error() const { return line_error_; }

  // Whether every context of the range is a knot, so that nothing is interpolated.
  bool is_traced(std::int64_t begin, std::int64_t end) const;

 private:
  Interval on_line(std::int64_t context) const;
  Interval with_line_error(Interval cost) const;
  bool is_knot(std::int64_t context) const;

  std::vector<Knot> knots_;
  std::optional<double> line_error_;
};

}  // namespace ampere
