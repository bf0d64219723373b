#include "decide/context_curve.h"

#include <algorithm>
#include <cmath>

namespace ampere {
namespace {

Interval between(const ContextCurve::Knot& low, const ContextCurve::Knot& high,
                 std::int64_t context) {
  const double share =
      static_cast<double>(context - low.context) / static_cast<double>(high.context - low.context);
  const auto mix = [&](double a, double b) { return a + share * (b - a); };
  return {mix(low.cost.mean, high.cost.mean), mix(low.cost.low, high.cost.low),
          mix(low.cost.high, high.cost.high), low.cost.confidence};
}

std::optional<double> error_of_lines(const std::vector<ContextCurve::Knot>& knots) {
  std::optional<double> most;
  for (std::size_t i = 1; i + 1 < knots.size(); ++i) {
    const double line = between(knots[i - 1], knots[i + 1], knots[i].context).mean;
    const double off = std::abs(line / knots[i].cost.mean - 1);
    most = std::max(most.value_or(0), off);
  }
  return most;
}

}  // namespace

ContextCurve::ContextCurve(std::vector<Knot> knots)
    : knots_(std::move(knots)), line_error_(error_of_lines(knots_)) {}

bool ContextCurve::is_knot(std::int64_t context) const {
  return std::ranges::binary_search(knots_, context, {}, &Knot::context);
}

bool ContextCurve::is_traced(std::int64_t begin, std::int64_t end) const {
  if (end - begin >= std::ssize(knots_)) return false;
  for (std::int64_t context = begin; context <= end; ++context)
    if (!is_knot(context)) return false;
  return true;
}

Interval ContextCurve::on_line(std::int64_t context) const {
  const auto above = std::ranges::lower_bound(knots_, context, {}, &Knot::context);
  if (above->context == context) return above->cost;
  return between(*std::prev(above), *above, context);
}

// Independent of the error of the estimates, so both are combined as deviations are.
Interval ContextCurve::with_line_error(Interval cost) const {
  if (!line_error_ || !(cost.low > 0)) return cost;
  const double off = std::log1p(*line_error_);
  const double mean = cost.mean;
  cost.low = mean * std::exp(-std::hypot(std::log(mean / cost.low), off));
  cost.high = mean * std::exp(std::hypot(std::log(cost.high / mean), off));
  return cost;
}

Interval ContextCurve::at(std::int64_t context) const {
  const Interval cost = on_line(context);
  return is_knot(context) ? cost : with_line_error(cost);
}

Interval ContextCurve::sum(std::int64_t begin, std::int64_t end) const {
  Interval total{0, 0, 0, knots_.front().cost.confidence};
  for (std::int64_t context = begin; context <= end; ++context) {
    const Interval one = on_line(context);
    total.mean += one.mean;
    total.low += one.low;
    total.high += one.high;
  }
  return is_traced(begin, end) ? total : with_line_error(total);
}

}  // namespace ampere
