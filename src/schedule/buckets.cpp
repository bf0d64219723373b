#include <algorithm>

#include "schedule/prices.h"

namespace ampere {
namespace {

constexpr std::size_t kMostForecastEdges = 48, kMostDeadlines = 16, kMostReleases = 8;

// At most `most` of them, evenly among the sorted ones; the last one always.
void add_some(std::vector<double> values, std::size_t most, Buckets& buckets) {
  std::ranges::sort(values);
  const std::size_t count = std::min(most, values.size());
  for (std::size_t i = 1; i <= count; ++i) buckets.push_back(values[i * values.size() / count - 1]);
}

double earliest_end(const Problem& problem) {
  double latest = 0;
  for (const JobToPlace& work : problem.jobs) {
    const double time = std::ranges::min_element(work.options, {}, &Option::time)->time;
    latest = std::max(latest, work.release + time);
  }
  return latest;
}

}  // namespace

Buckets make_buckets(const Problem& problem) {
  std::vector<double> deadlines, releases;
  for (const JobToPlace& work : problem.jobs) {
    if (work.due < kForever) deadlines.push_back(work.due);
    if (work.release > 0) releases.push_back(work.release);
  }
  Buckets buckets{0.};
  // Without deadlines, forecast or haste, jobs can wait for any device for ever.
  if (deadlines.empty() && !problem.by_forecast && !problem.shortest) return buckets;
  add_some(deadlines, kMostDeadlines, buckets);
  add_some(releases, kMostReleases, buckets);
  if (problem.by_forecast) add_some(problem.curve.edges(), kMostForecastEdges, buckets);
  std::ranges::sort(buckets);
  buckets.erase(std::unique(buckets.begin(), buckets.end()), buckets.end());
  if (problem.shortest)
    buckets.erase(std::ranges::upper_bound(buckets, earliest_end(problem)), buckets.end());
  return buckets;
}

}  // namespace ampere
